package incident

// Cause is a change that a deploy makes and the errors that come of it. In the errors {n} stands
// for a number that differs from line to line, {d} for a digit, {id} for an identifier.
type Cause struct {
	Change string
	Errors []string
}

var causes = []Cause{
	{"connection pool limit lowered from 50 to 5", []string{"connection pool exhausted: {n} requests waiting", "query timed out after {n}ms"}},
	{"certificate bundle replaced by the new root", []string{"x509: certificate signed by unknown authority", "handshake with peer {id} refused"}},
	{"memory limit reduced from 2Gi to 512Mi", []string{"cannot allocate {n} bytes: out of memory", "worker {d} was killed"}},
	{"cache client upgraded to version 3", []string{"cache: cannot decode entry {id}", "cache: reply of {n} bytes has an unknown type"}},
	{"name resolver moved to the new cluster", []string{"lookup of host failed: no such host", "no backend for shard {d}"}},
	{"asynchronous writes enabled for all tenants", []string{"write queue is full: {n} events dropped", "flush of segment {id} failed"}},
	{"schema migration 0042 applied", []string{"column total_minor does not exist", "row {id} violates a constraint"}},
	{"request signing made mandatory", []string{"signature of request {id} is missing", "clock is {n} seconds ahead of the caller"}},
}

// noise are errors that every service has now and then, outage or not.
var noise = []string{"client closed connection {id} early", "retry budget of {n} spent"}

var warnings = []string{"slow response from disk: {n}ms", "queue length is {n}"}

// paths are what clients ask for; {s} is the service.
var paths = []string{"/{s}/{n}", "/{s}", "/{s}/{n}/items", "/health", "/{s}/search"}
