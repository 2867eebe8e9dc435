package channeltest_test

import (
	"testing"

	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestFake(t *testing.T) { channeltest.Run(t, channeltest.FakeSetup()) }

func TestFakeInRealTime(t *testing.T) {
	setup := channeltest.FakeSetup()
	setup.Direct = nil
	channeltest.Run(t, setup)
}
