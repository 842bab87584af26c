// Package certwatcher replaces the package with which OpenFGA watches certificate files. The platform runs OpenFGA on
// loopback without TLS; the real package needs the whole Kubernetes client, half of the cost of building OpenFGA.
package certwatcher

import (
	"context"
	"crypto/tls"
	"errors"
)

var errWithout = errors.New("this OpenFGA is built without TLS of its own")

// CertWatcher is never created.
type CertWatcher struct{}

// New refuses: OpenFGA then ends with this error.
func New(_, _ string) (*CertWatcher, error) { return nil, errWithout }

// RegisterCallback does nothing.
func (*CertWatcher) RegisterCallback(func(tls.Certificate)) {}

// GetCertificate refuses.
func (*CertWatcher) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, errWithout }

// Start refuses.
func (*CertWatcher) Start(context.Context) error { return errWithout }
