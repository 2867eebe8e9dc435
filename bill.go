package akitad

import "slices"

// Bill is the usage of one role at one endpoint. A failed call counts as a call; its tokens are those that the
// server reported, usually none.
type Bill struct {
	Endpoint string `json:"endpoint"`
	Role     string `json:"role"`
	Usage
}

// Bills is usage by endpoint and role. Each pair of the two occurs once.
type Bills []Bill

// Add returns b with more added to it. It does not change b.
func (b Bills) Add(more ...Bill) Bills {
	out := slices.Clone(b)
	for _, m := range more {
		at := slices.IndexFunc(out, func(o Bill) bool { return o.Endpoint == m.Endpoint && o.Role == m.Role })
		if at < 0 {
			out = append(out, m)
			continue
		}
		out[at].Usage = out[at].Usage.Add(m.Usage)
	}
	return out
}

// Total returns the sum over all endpoints and roles.
func (b Bills) Total() (u Usage) {
	for _, one := range b {
		u = u.Add(one.Usage)
	}
	return u
}
