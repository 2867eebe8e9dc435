//go:build !race

package app_test

// atOnce is how many chats are answered at once.
const atOnce = 500
