package storage

import "terrarium/core/kinds"

// columns returns what kubectl get prints, by resource.
func columns() map[string]*kinds.Table {
	return nil
}
