package wecom_test

import (
	"testing"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var (
	_ channels.Channel = (*wecom.WeCom)(nil)
	_ channels.Fetcher = (*wecom.WeCom)(nil)
	_ channels.Asker   = (*wecom.WeCom)(nil)
	_ channels.Hooked  = (*wecom.WeCom)(nil)
	_ channels.Prober  = (*wecom.WeCom)(nil)
)
