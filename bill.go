package akitad

import "slices"

// Bill is what one role has used at one endpoint. A call that failed counts as a call, with what its server has told that
// it used, which most often is nothing.
type Bill struct {
	Endpoint string `json:"endpoint"`
	Role     string `json:"role"`
	Usage
}

// Bills are what each role has used at each endpoint, each pair once.
type Bills []Bill

// Add gives the bills with more added to them; b stays as it is.
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

// Total gives the sum of all.
func (b Bills) Total() (u Usage) {
	for _, one := range b {
		u = u.Add(one.Usage)
	}
	return u
}
