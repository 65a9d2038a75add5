// Command cluster is the program in the worker: a whole cluster, kept in IndexedDB, serving the pages that
// are connected to it.
//
// Everything happens on one thread, in turns: a turn lets the cluster run for at most 8 ms, writes what was
// committed in it as one record, and sends the streams' frames. Between turns the browser delivers messages
// and storage events. Nothing here blocks.
package main
