package view

import (
	"strconv"
	"time"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(int64(n)) + " " + many
}

// Cores returns thousandths of a core as cores: "0.25", "4".
func Cores(milli int64) string {
	return strconv.FormatFloat(float64(milli)/1000, 'f', -1, 64)
}

// BytesOf returns an amount of memory out of another in one unit: "1.5 / 8 Gi".
func BytesOf(part, whole int64) string {
	unit, name := unitOf(whole)
	return scaled(part, unit) + " / " + scaled(whole, unit) + name
}

func unitOf(n int64) (size int64, name string) {
	switch {
	case n >= 1<<40:
		return 1 << 40, " Ti"
	case n >= 1<<30:
		return 1 << 30, " Gi"
	case n >= 1<<20:
		return 1 << 20, " Mi"
	case n >= 1<<10:
		return 1 << 10, " Ki"
	}
	return 1, " B"
}

// scaled returns n in units with at most one digit after the point, two below one.
func scaled(n, unit int64) string {
	x := float64(n) / float64(unit)
	digits := 1
	if x < 1 {
		digits = 2
	}
	s := strconv.FormatFloat(x, 'f', digits, 64)
	for len(s) > 1 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}

// Age returns how long ago something was, as kubectl's AGE column has it.
//
// Models apimachinery pkg/util/duration HumanDuration.
func Age(now, then int64) string {
	s := (now - then) / 1000
	if s < -1 {
		return "<invalid>"
	}
	s = max(s, 0)
	pair := func(big, small int64, bigUnit, smallUnit string) string {
		if small == 0 {
			return itoa(big) + bigUnit
		}
		return itoa(big) + bigUnit + itoa(small) + smallUnit
	}
	m, h := s/60, s/3600
	switch {
	case s < 60*2:
		return itoa(s) + "s"
	case m < 10:
		return pair(m, s%60, "m", "s")
	case m < 60*3:
		return itoa(m) + "m"
	case h < 8:
		return pair(h, m%60, "h", "m")
	case h < 48:
		return itoa(h) + "h"
	case h < 24*8:
		return pair(h/24, h%24, "d", "h")
	case h < 24*365*2:
		return itoa(h/24) + "d"
	case h < 24*365*8:
		return pair(h/24/365, (h/24)%365, "y", "d")
	}
	return itoa(h/24/365) + "y"
}

// Until returns how long it takes from now to then: "0.2 s", "12 s", "4 min 10 s".
func Until(now, then int64) string {
	ms := then - now
	switch {
	case ms <= 0:
		return "now"
	case ms < 10_000:
		tenths := (ms + 99) / 100
		return itoa(tenths/10) + "." + itoa(tenths%10) + " s"
	case ms < 120_000:
		return itoa(ms/1000) + " s"
	case ms < 3_600_000:
		if s := ms / 1000 % 60; s != 0 {
			return itoa(ms/60_000) + " min " + itoa(s) + " s"
		}
		return itoa(ms/60_000) + " min"
	}
	if m := ms / 60_000 % 60; m != 0 {
		return itoa(ms/3_600_000) + " h " + itoa(m) + " min"
	}
	return itoa(ms/3_600_000) + " h"
}

// Clock returns a virtual time of day in UTC, "15:04:05".
func Clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("15:04:05") }

// Stamp returns a virtual time in UTC as Kubernetes writes it.
func Stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339) }
