package bus

import (
	"errors"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

type fakeMsg struct {
	jetstream.Msg
	meta jetstream.MsgMetadata
}

func (m fakeMsg) Metadata() (*jetstream.MsgMetadata, error) { return &m.meta, nil }
func (m fakeMsg) Subject() string                           { return "akita.task.t_a.log" }
func (m fakeMsg) Data() []byte                              { return nil }
func (m fakeMsg) Headers() nats.Header                      { return nil }

func at(consumer, stream uint64) fakeMsg {
	return fakeMsg{meta: jetstream.MsgMetadata{Sequence: jetstream.SequencePair{Consumer: consumer, Stream: stream}, NumPending: 9}}
}

// TestFollowerNoticesAGap: the consumer numbers what it sends, so a lost message shows at the next.
func TestFollowerNoticesAGap(t *testing.T) {
	var got []uint64
	f := &follower{next: 1, fn: func(s Stored) error { got = append(got, s.Seq); return nil }}
	for i, m := range []fakeMsg{at(1, 4), at(2, 9), at(4, 20)} {
		err := f.handle(m)
		if gap := i == 2; errors.Is(err, errGap) != gap {
			t.Errorf("message %d: %v", i, err)
		}
	}
	if f.next != 10 || !slices.Equal(got, []uint64{4, 9}) {
		t.Errorf("read %v, goes on at %d, want 10", got, f.next)
	}
}
