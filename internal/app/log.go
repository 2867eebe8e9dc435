package app

import (
	"fmt"
	"io"
	"os"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"gopkg.in/natefinch/lumberjack.v2"

	"github.com/akitad/akitad/internal/config"
)

// OpenLog returns the process's log: JSON lines in the home's log file, rotated, and from warnings up
// readable lines on w. flush writes out what is buffered.
func OpenLog(cfg config.Config, w io.Writer) (log *zap.Logger, flush func(), err error) {
	if err := os.MkdirAll(cfg.Path.Logs, 0o700); err != nil {
		return nil, nil, fmt.Errorf("log folder: %w", err)
	}
	level, err := zapcore.ParseLevel(cfg.Log.Level)
	if err != nil {
		return nil, nil, fmt.Errorf("log.level: %w", err)
	}
	file := &lumberjack.Logger{Filename: cfg.Path.Log, MaxSize: max(1, int(cfg.Log.MaxSize>>20)), MaxBackups: max(1, cfg.Log.Keep-1)}
	enc := zap.NewProductionEncoderConfig()
	enc.EncodeTime = zapcore.ISO8601TimeEncoder
	human := enc
	human.EncodeLevel = zapcore.CapitalLevelEncoder
	log = zap.New(zapcore.NewTee(
		zapcore.NewCore(zapcore.NewJSONEncoder(enc), zapcore.AddSync(file), level),
		zapcore.NewCore(zapcore.NewConsoleEncoder(human), zapcore.Lock(zapcore.AddSync(w)), zapcore.WarnLevel),
	))
	return log, func() {
		_ = log.Sync() // a terminal refuses to be synced; nothing is lost by it
		_ = file.Close()
	}, nil
}
