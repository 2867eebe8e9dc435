//go:build race

package app_test

// atOnce is how many chats are answered at once: fewer, as everything takes ten times as long.
const atOnce = 100
