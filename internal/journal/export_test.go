package journal

// Kept tells how many folds are kept, and how many bytes of payload they stand for.
func Kept(j *Journal) (folds, bytes int) { return j.kept.order.Len(), j.kept.bytes }
