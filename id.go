package akitad

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
)

// TaskID identifies a task: "t_" and 24 characters of [a-z2-7]. It is derived from the cause of the
// task, for example a message: a message that is delivered twice leads to the same task.
type TaskID string

// SessionKey identifies a conversation: "s-" and 24 characters, a hash of channel, chat, thread and,
// where conversations are personal, sender. It is safe in subjects and file names. Empty means no session.
type SessionKey string

var (
	lower32   = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	taskID    = regexp.MustCompile(`^t_[a-z2-7]{24}$`)
	validName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
)

// DeriveTaskID returns the id of the task that the parts, its cause, identify. Different lists of parts
// give different ids, as long as no part contains the control character U+001F.
func DeriveTaskID(parts ...string) TaskID { return TaskID("t_" + digest(parts)) }

// DeriveSessionKey returns the key of the conversation that the parts identify.
func DeriveSessionKey(parts ...string) SessionKey { return SessionKey("s-" + digest(parts)) }

// Digest returns a hash of the parts: 24 characters of [a-z2-7], the first 120 bits of SHA-256.
func Digest(parts ...string) string { return digest(parts) }

func digest(parts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return lower32.EncodeToString(sum[:15])
}

// Valid reports whether id has the form of a TaskID.
func (id TaskID) Valid() bool { return taskID.MatchString(string(id)) }

// ValidName reports whether s is allowed as the name of a profile, channel, endpoint, flow or node:
// 1 to 40 characters of [a-z0-9-].
func ValidName(s string) bool { return validName.MatchString(s) }
