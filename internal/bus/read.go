package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

// Stored is a message in a stream.
type Stored struct {
	Seq     uint64    // sequence in the stream, from 1
	Subject string    // the subject on which it was published
	Time    time.Time // when the server stored it
	Body    []byte
	ID      string // the message id it was published with
}

const (
	readBatch = 500     // messages per request; must be below the queue length of the connection
	readBytes = 4 << 20 // bytes per request
)

// ReadTask calls fn with every stored event that matches filter (akita.task.<id>.>), from sequence from on
// and in order, up to the current end. It is no error if there is none. An error of fn ends the read and is
// returned. On a cluster any replica may answer, so that the newest events may be missing.
func (b *Bus) ReadTask(ctx context.Context, filter string, from uint64, fn func(Stored) error) error {
	if err := checkFilter("akita.task", filter); err != nil {
		return err
	}
	return b.read(ctx, Tasks, filter, from, fn)
}

// read pages through a stream by direct gets. A page without an answer is requested again.
func (b *Bus) read(ctx context.Context, stream, filter string, from uint64, fn func(Stored) error) error {
	p := page{next: max(from, 1)}
	var pause pauses
	for more := true; more; {
		err := b.try(ctx, answerWait, func(ctx context.Context) (err error) {
			more, err = b.readPage(ctx, stream, filter, &p, fn)
			return err
		})
		if err == nil {
			pause = pauses{}
			continue
		}
		if p.refused {
			return err
		}
		if !passing(err) || ctx.Err() != nil || pause.wait(ctx) != nil {
			return fault("read "+filter, err)
		}
		more = true
	}
	return nil
}

// page is the progress of a read.
type page struct {
	next    uint64 // the first sequence not yet seen
	refused bool   // fn returned an error
}

func (b *Bus) readPage(ctx context.Context, stream, filter string, p *page, fn func(Stored) error) (more bool, err error) {
	inbox := b.nc.NewInbox()
	sub, err := b.nc.SubscribeSync(inbox)
	if err != nil {
		return false, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	req, err := json.Marshal(directGet{Seq: p.next, NextFor: filter, Batch: readBatch, MaxBytes: readBytes})
	if err != nil {
		return false, err
	}
	if err := b.nc.PublishRequest(directSubject(stream), inbox, req); err != nil {
		return false, err
	}
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return false, err
		}
		if status := m.Header.Get("Status"); status != "" {
			return pageEnd(status, m)
		}
		s, err := stored(m)
		if err != nil {
			return false, err
		}
		p.next = s.Seq + 1
		if err := fn(s); err != nil {
			p.refused = true
			return false, err
		}
	}
}

// directGet is the body of a direct get request.
type directGet struct {
	Seq      uint64 `json:"seq,omitempty"`
	NextFor  string `json:"next_by_subj,omitempty"`
	LastFor  string `json:"last_by_subj,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
}

func directSubject(stream string) string { return "$JS.API.DIRECT.GET." + stream }

// pageEnd parses the message that ends a page: 204 with the number of remaining messages, or 404.
func pageEnd(status string, m *nats.Msg) (more bool, err error) {
	switch status {
	case "204":
		left, err := strconv.ParseUint(m.Header.Get("Nats-Num-Pending"), 10, 64)
		return left > 0, err
	case "404":
		return false, nil
	case "503":
		return false, nats.ErrNoResponders
	}
	return false, akitad.Errorf(akitad.Unavailable, "server answers %s %s", status, m.Header.Get("Description"))
}

// stored parses the headers that a direct get adds.
func stored(m *nats.Msg) (Stored, error) {
	seq, err := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
	if err != nil {
		return Stored{}, fmt.Errorf("stored message without a sequence: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, m.Header.Get("Nats-Time-Stamp"))
	if err != nil {
		return Stored{}, fmt.Errorf("stored message without a time: %w", err)
	}
	return Stored{
		Seq: seq, Subject: m.Header.Get("Nats-Subject"), Time: at, Body: m.Data, ID: m.Header.Get(nats.MsgIdHdr),
	}, nil
}

// LastTask returns the newest event that matches filter, or false if there is none.
func (b *Bus) LastTask(ctx context.Context, filter string) (Stored, bool, error) {
	if err := checkFilter("akita.task", filter); err != nil {
		return Stored{}, false, err
	}
	return b.last(ctx, Tasks, filter)
}

// last returns the newest message of a stream that matches filter, or false if there is none.
func (b *Bus) last(ctx context.Context, stream, filter string) (Stored, bool, error) {
	req, err := json.Marshal(directGet{LastFor: filter})
	if err != nil {
		return Stored{}, false, err
	}
	var m *nats.Msg
	err = b.insist(ctx, answerWait, func(ctx context.Context) (err error) {
		m, err = b.nc.RequestWithContext(ctx, directSubject(stream), req)
		return err
	})
	if err != nil {
		return Stored{}, false, fault("read the last of "+filter, err)
	}
	if status := m.Header.Get("Status"); status != "" {
		_, err := pageEnd(status, m)
		return Stored{}, false, fault("read the last of "+filter, err)
	}
	s, err := stored(m)
	return s, err == nil, err
}

// TaskGone reports whether the event with that sequence was removed together with all others that match
// filter. It asks the stream's leader, because another replica may only lag.
func (b *Bus) TaskGone(ctx context.Context, filter string, seq uint64) (gone bool, err error) {
	if err := checkFilter("akita.task", filter); err != nil {
		return false, err
	}
	err = b.insist(ctx, answerWait, func(ctx context.Context) error {
		s, err := b.js.Stream(ctx, Tasks)
		if err != nil {
			return err
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
		if err == nil {
			gone = info.State.LastSeq >= seq && len(info.State.Subjects) == 0
		}
		return err
	})
	return gone, fault("look whether "+filter+" is removed", err)
}

// PurgeTask removes every event that matches filter. Their sequences are not used again.
func (b *Bus) PurgeTask(ctx context.Context, filter string) error {
	if err := checkFilter("akita.task", filter); err != nil {
		return err
	}
	return b.purge(ctx, Tasks, filter)
}

func (b *Bus) purge(ctx context.Context, stream, filter string) error {
	return fault("purge "+filter, b.insist(ctx, answerWait, func(ctx context.Context) error {
		s, err := b.js.Stream(ctx, stream)
		if err != nil {
			return err
		}
		return s.Purge(ctx, jetstream.WithPurgeSubject(filter))
	}))
}
