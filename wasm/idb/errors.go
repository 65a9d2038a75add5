package idb

// A Reason is why the browser does not keep what it is given.
type Reason string

const (
	Unavailable Reason = "unavailable" // no IndexedDB for this page
	Full        Reason = "full"        // over quota, or the disk is full
	Closed      Reason = "closed"      // the browser closed the database
	Blocked     Reason = "blocked"     // another tab holds it in an older version
	Taken       Reason = "taken"       // another program writes to it
	Gone        Reason = "gone"        // it was deleted while in use
	Newer       Reason = "newer"       // a newer version of this program made it
	Failed      Reason = "failed"      // anything else
)

// An Error is a refusal of the browser.
type Error struct {
	Reason Reason
	Err    error // the browser's own words
}

// Error says what happened and what to do.
func (e *Error) Error() string {
	text := e.text()
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

func (e *Error) text() string {
	switch e.Reason {
	case Unavailable:
		return "this browser keeps nothing for this page, as in a private window: the cluster lives until the tab is closed; export it, or open the page in a normal window"
	case Full:
		return "the browser has no space left for this page: free some disk space or delete other sites' data, then retry; export the cluster to be safe"
	case Closed:
		return "the browser closed the storage: it is opened again with the next try"
	case Blocked:
		return "another tab holds the storage in an older version: close the other tabs of this page, then reload"
	case Taken:
		return "another tab writes to the same storage: reload to see its cluster, or export this one first"
	case Gone:
		return "the saved cluster was deleted, as by clearing the site's data: all of it is saved again with the next try"
	case Newer:
		return "the saved cluster belongs to a newer version of this page: reload to get that version"
	case Failed:
	}
	return "the browser could not read or write its storage: retry, or export the cluster and restart the browser"
}

// opened returns the reason for a DOMException of that name while the database was being opened.
func opened(name string) Reason {
	switch name {
	case "QuotaExceededError":
		return Full
	case "SecurityError", "InvalidStateError", "NotSupportedError":
		return Unavailable
	case "VersionError":
		return Newer
	case "AbortError":
		return Closed
	}
	return Failed
}

// used returns the reason for a DOMException of that name in a transaction.
func used(name string) Reason {
	switch name {
	case "QuotaExceededError":
		return Full
	case "InvalidStateError", "AbortError", "TransactionInactiveError":
		return Closed
	case "ConstraintError":
		return Taken
	}
	return Failed
}

// exceptions are the names that opened and used tell apart.
func exceptions() []string {
	return []string{
		"QuotaExceededError", "SecurityError", "InvalidStateError", "NotSupportedError", "VersionError",
		"AbortError", "TransactionInactiveError", "ConstraintError",
	}
}
