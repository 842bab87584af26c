// Command lab contains every program of an Open Cluster Management lab in one binary; the first argument names the
// program. `platform lab up` builds it from pinned modules and runs its programs.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	goflag "flag"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
	_ "time/tzdata"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/etcdmain"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/component-base/cli"
	utilflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/utils/clock"
	ocmfeature "open-cluster-management.io/api/feature"
	"open-cluster-management.io/ocm/manifests"
	"open-cluster-management.io/ocm/pkg/cmd/hub"
	commonoptions "open-cluster-management.io/ocm/pkg/common/options"
	"open-cluster-management.io/ocm/pkg/features"
	registration "open-cluster-management.io/ocm/pkg/registration/spoke"
	singleton "open-cluster-management.io/ocm/pkg/singleton/spoke"
	"open-cluster-management.io/ocm/pkg/version"
	work "open-cluster-management.io/ocm/pkg/work/spoke"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: lab etcd|kube-apiserver|kube-controller-manager|hub|agent [flags] | crds hub|spoke | pki FOLDER")
		os.Exit(2)
	}
	if os.Getenv("LAB_STDIN") == "watch" { // the starter holds the other end, so this ends with the starter, also after kill -9
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
	}
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...)
	switch name {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(manager.NewControllerManagerCommand()))
	case "hub":
		utilruntime.Must(features.HubMutableFeatureGate.Add(ocmfeature.DefaultHubRegistrationFeatureGates))
		features.HubMutableFeatureGate.AddFlag(pflag.CommandLine)
		run(hub.NewRegistrationController())
	case "agent":
		run(agent())
	case "crds":
		utilruntime.Must(crds(os.Args[1]))
	case "pki":
		utilruntime.Must(pki(os.Args[1]))
	default:
		fmt.Fprintln(os.Stderr, "no program named "+name)
		os.Exit(2)
	}
}

// agent is OCM's registration agent and work agent in one process.
func agent() *cobra.Command {
	ctx, cancel := context.WithCancel(context.Background())
	common, workload, join := commonoptions.NewAgentOptions(), work.NewWorkloadAgentOptions(), registration.NewSpokeAgentOptions()
	config := singleton.NewAgentConfig(common, join, workload, cancel)
	cmd := common.CommonOpts.NewControllerCommandConfig("klusterlet-agent", version.Get(), config.RunSpokeAgent, clock.RealClock{}).
		WithHealthChecks(config.HealthCheckers()...).NewCommandWithContext(ctx)
	common.AddFlags(cmd.Flags())
	workload.AddFlags(cmd.Flags())
	join.AddFlags(cmd.Flags())
	utilruntime.Must(features.SpokeMutableFeatureGate.Add(ocmfeature.DefaultSpokeRegistrationFeatureGates))
	utilruntime.Must(features.SpokeMutableFeatureGate.Add(ocmfeature.DefaultSpokeWorkFeatureGates))
	features.SpokeMutableFeatureGate.AddFlag(cmd.Flags())
	return cmd
}

// run adds the global flags that OCM's own main functions add to a command of OCM.
func run(cmd *cobra.Command) {
	pflag.CommandLine.SetNormalizeFunc(utilflag.WordSepNormalizeFunc)
	pflag.CommandLine.AddGoFlagSet(goflag.CommandLine)
	logs.AddFlags(pflag.CommandLine)
	logs.InitLogs()
	defer logs.FlushLogs()
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crds prints the definitions that OCM needs on the hub or on a cluster, as YAML documents.
func crds(side string) error {
	files, folder := fs.FS(manifests.ClusterManagerManifestFiles), "cluster-manager/hub"
	if side != "hub" {
		files, folder = manifests.KlusterletManifestFiles, "klusterlet/managed"
	}
	return fs.WalkDir(files, folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "crd.yaml") {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Printf("%s\n---\n", strings.TrimPrefix(strings.TrimSpace(string(text)), "---\n"))
		return err
	})
}

// pki creates a folder with certificates and keys for ca, api (server) and admin (client, system:masters), and a
// service account key.
func pki(folder string) error {
	key := func(name string) (*ecdsa.PrivateKey, error) {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, err
		}
		der, err := x509.MarshalECPrivateKey(k)
		if err != nil {
			return nil, err
		}
		return k, os.WriteFile(filepath.Join(folder, name+".key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
	}
	now := time.Now()
	authority := &x509.Certificate{Subject: pkix.Name{CommonName: "lab-" + filepath.Base(folder)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature}
	authorityKey, err := key("ca")
	if err != nil {
		return err
	}
	sign := func(name string, c *x509.Certificate) error {
		k := authorityKey
		if name != "ca" {
			if k, err = key(name); err != nil {
				return err
			}
		}
		if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
			return err
		}
		c.NotBefore, c.NotAfter = now.Add(-time.Minute), now.AddDate(1, 0, 0)
		der, err := x509.CreateCertificate(rand.Reader, c, authority, &k.PublicKey, authorityKey)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, name+".crt"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
	}
	if err := sign("ca", authority); err != nil {
		return err
	}
	if err := sign("api", &x509.Certificate{Subject: pkix.Name{CommonName: "kube-apiserver"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost", "kubernetes.default.svc"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)}}); err != nil {
		return err
	}
	if err := sign("admin", &x509.Certificate{Subject: pkix.Name{CommonName: "lab-admin", Organization: []string{"system:masters"}}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}); err != nil {
		return err
	}
	_, err = key("sa")
	return err
}
