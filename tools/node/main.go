// Command node contains the programs of a real node of the lab in one binary; the first argument names the program.
// `platform lab up --nodes` builds it from pinned modules and runs its programs with an API server of the lab.
package main

import (
	"fmt"
	"io"
	"net"
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: node kubelet|kube-proxy|kube-scheduler [flags] | dns KUBECONFIG ADDRESS | forward ADDRESS TARGET")
		os.Exit(2)
	}
	name := os.Args[1]
	os.Args = append([]string{name}, os.Args[2:]...)
	switch name {
	case "kubelet":
		os.Exit(cli.Run(kubelet.NewKubeletCommand()))
	case "kube-proxy":
		os.Exit(cli.Run(proxy.NewProxyCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	case "dns":
		fail(serveNames(os.Args[1], os.Args[2]))
	case "forward":
		fail(forward(os.Args[1], os.Args[2]))
	default:
		fail(fmt.Errorf("no program named %s", name))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// forward passes connections from one address on to another: API servers listen on 127.0.0.1, which pods cannot reach.
func forward(address, target string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	for {
		caller, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer caller.Close()
			called, err := net.Dial("tcp", target)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return
			}
			defer called.Close()
			go func() {
				_, _ = io.Copy(called, caller)
				_ = called.(*net.TCPConn).CloseWrite()
			}()
			_, _ = io.Copy(caller, called)
		}()
	}
}
