package fallback

import (
	"time"

	"github.com/akitad/akitad"
)

// Failed is failed by the default rules.
func (h Health) Failed(now time.Time, kind akitad.Kind, reason string) Health {
	return h.failed(Rules{}.filled(), now, kind, reason)
}

// Probing is probing by the default rules.
func (h Health) Probing(now time.Time) Health { return h.probing(Rules{}.filled(), now) }
