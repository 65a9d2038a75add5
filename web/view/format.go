package view

import "strconv"

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(int64(n)) + " " + many
}

// Cores returns thousandths of a core as cores: "0.25", "4".
func Cores(milli int64) string { return decimal(milli, 3) }

// decimal returns n / 10^digits without zeros at the end.
func decimal(n int64, digits int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	s := itoa(n)
	for len(s) <= digits {
		s = "0" + s
	}
	whole, part := s[:len(s)-digits], s[len(s)-digits:]
	for len(part) > 0 && part[len(part)-1] == '0' {
		part = part[:len(part)-1]
	}
	if part == "" {
		return sign + whole
	}
	return sign + whole + "." + part
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

// scaled returns n in units, rounded to one digit after the point, to two below one.
func scaled(n, unit int64) string {
	if n < unit {
		return decimal(round(float64(n)/float64(unit)*100), 2)
	}
	return decimal(round(float64(n)/float64(unit)*10), 1)
}

func round(x float64) int64 { return int64(x + 0.5) }

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
func Clock(ms int64) string {
	_, s := days(ms)
	return pad(s/3600) + ":" + pad(s/60%60) + ":" + pad(s%60)
}

// Stamp returns a virtual time in UTC as Kubernetes writes it.
func Stamp(ms int64) string {
	d, _ := days(ms)
	year, month, day := civil(d)
	return itoa(year) + "-" + pad(month) + "-" + pad(day) + "T" + Clock(ms) + "Z"
}

func pad(n int64) string {
	if n < 10 {
		return "0" + itoa(n)
	}
	return itoa(n)
}

// days splits milliseconds since 1970 into whole days and the seconds of the last one.
func days(ms int64) (day, seconds int64) {
	const perDay = 24 * 3600 * 1000
	day = ms / perDay
	rest := ms % perDay
	if rest < 0 {
		day, rest = day-1, rest+perDay
	}
	return day, rest / 1000
}

// civil returns the date of a day counted from 1970-01-01. The years of the calculation begin in March, so
// that the leap day is the last; 400 of them are an era. (The time package would do, for 15 KB more.)
func civil(day int64) (year, month, mday int64) {
	const perEra = 146_097
	day += 719_468 // since 0000-03-01
	era := day / perEra
	if day < 0 {
		era = (day - perEra + 1) / perEra
	}
	d := day - era*perEra
	y := (d - d/1460 + d/36_524 - d/146_096) / 365
	yd := d - (365*y + y/4 - y/100)
	m := (5*yd + 2) / 153
	mday = yd - (153*m+2)/5 + 1
	month = m + 3
	if month > 12 {
		month -= 12
	}
	year = y + era*400
	if month <= 2 {
		year++
	}
	return year, month, mday
}
