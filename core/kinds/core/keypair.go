package core

import (
	"encoding/pem"
	"fmt"
	"strings"
)

// checkKeyPair says what is wrong with a PEM certificate and its private key, or "".
//
// Differs: upstream (crypto/tls X509KeyPair) also says when either does not parse or the two do not belong
// together. That takes crypto/tls and crypto/x509, 2 MB of the program in the page, for a warning.
func checkKeyPair(cert, key []byte) string {
	isKey := func(kind string) bool { return kind == "PRIVATE KEY" || strings.HasSuffix(kind, " PRIVATE KEY") }
	found, skipped := findBlock(cert, func(kind string) bool { return kind == "CERTIFICATE" })
	switch {
	case found:
	case len(skipped) == 0:
		return "tls: failed to find any PEM data in certificate input"
	case len(skipped) == 1 && isKey(skipped[0]):
		return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
	default:
		return fmt.Sprintf("tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the following types: %v", skipped)
	}
	found, skipped = findBlock(key, isKey)
	switch {
	case found:
		return ""
	case len(skipped) == 0:
		return "tls: failed to find any PEM data in key input"
	case len(skipped) == 1 && skipped[0] == "CERTIFICATE":
		return "tls: found a certificate rather than a key in the PEM for the private key"
	}
	return fmt.Sprintf("tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM blocks of the following types: %v", skipped)
}

// findBlock looks for a PEM block of a kind that is wanted, and returns the kinds before it.
func findBlock(data []byte, wanted func(kind string) bool) (found bool, skipped []string) {
	for {
		block, rest := pem.Decode(data)
		if block == nil {
			return false, skipped
		}
		if wanted(block.Type) {
			return true, skipped
		}
		skipped = append(skipped, block.Type)
		data = rest
	}
}
