package dingtalk_test

import (
	"testing"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var (
	_ channels.Channel = (*dingtalk.DingTalk)(nil)
	_ channels.Fetcher = (*dingtalk.DingTalk)(nil)
	_ channels.Hooked  = (*dingtalk.DingTalk)(nil)
	_ channels.Prober  = (*dingtalk.DingTalk)(nil)
)
