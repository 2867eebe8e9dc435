package akitad

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"strings"
)

// TaskID names one task: "t_" and 24 characters of [a-z2-7]. Ids are derived from what caused the
// task, so that the same cause gives the same task however often it is delivered.
type TaskID string

// SessionKey names one conversation: "s-" and 24 characters, a hash of channel, chat, thread and
// perhaps sender, so that it is safe in subjects and file names. Empty means no session.
type SessionKey string

var (
	lower32   = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	taskID    = regexp.MustCompile(`^t_[a-z2-7]{24}$`)
	validName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)
)

// DeriveTaskID gives the id of the task that these parts cause. Parts are joined unambiguously.
func DeriveTaskID(parts ...string) TaskID { return TaskID("t_" + digest(parts)) }

// DeriveSessionKey gives the key of the conversation that these parts name.
func DeriveSessionKey(parts ...string) SessionKey { return SessionKey("s-" + digest(parts)) }

// Digest gives 24 characters of [a-z2-7] that stand for the parts (120 bits of SHA-256).
func Digest(parts ...string) string { return digest(parts) }

func digest(parts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return lower32.EncodeToString(sum[:15])
}

// Valid reports whether id has the form of a task id.
func (id TaskID) Valid() bool { return taskID.MatchString(string(id)) }

// ValidName reports whether s may name a profile, channel, endpoint, flow or node:
// [a-z0-9-], 1 to 40 characters.
func ValidName(s string) bool { return validName.MatchString(s) }
