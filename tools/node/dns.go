package main

import (
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const zone = ".svc.cluster.local."

// serveNames answers the names of Services, {name}.{namespace}.svc.cluster.local, over UDP; other names do not exist. A
// headless Service has the addresses of its ready pods.
func serveNames(kubeconfig, address string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, time.Minute)
	services := factory.Core().V1().Services().Informer()
	slices := factory.Discovery().V1().EndpointSlices().Informer()
	factory.Start(nil)
	if !cache.WaitForCacheSync(nil, services.HasSynced, slices.HasSynced) {
		return fmt.Errorf("the Services cannot be listed")
	}
	socket, err := net.ListenPacket("udp", address)
	if err != nil {
		return err
	}
	buffer := make([]byte, 1500)
	for {
		size, caller, err := socket.ReadFrom(buffer)
		if err != nil {
			return err
		}
		reply, err := answer(buffer[:size], services.GetStore(), slices.GetStore())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		_, _ = socket.WriteTo(reply, caller)
	}
}

func answer(query []byte, services, slices cache.Store) ([]byte, error) {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil {
		return nil, err
	}
	if len(message.Questions) != 1 {
		return nil, fmt.Errorf("%d questions in one message", len(message.Questions))
	}
	question := message.Questions[0]
	reply := dnsmessage.Message{Header: dnsmessage.Header{ID: message.ID, Response: true, Authoritative: true, RecursionDesired: message.RecursionDesired,
		RecursionAvailable: true}, Questions: message.Questions}
	addresses := addressesOf(question.Name.String(), services, slices)
	if len(addresses) == 0 {
		reply.RCode = dnsmessage.RCodeNameError
	}
	for _, address := range addresses {
		if question.Type == dnsmessage.TypeA {
			reply.Answers = append(reply.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 5},
				Body:   &dnsmessage.AResource{A: [4]byte(address)},
			})
		}
	}
	return reply.Pack()
}

func addressesOf(name string, services, slices cache.Store) []net.IP {
	before, found := strings.CutSuffix(strings.ToLower(name), zone)
	service, namespace, isName := strings.Cut(before, ".")
	if !found || !isName {
		return nil
	}
	object, exists, _ := services.GetByKey(namespace + "/" + service)
	if !exists {
		return nil
	}
	if address := object.(*core.Service).Spec.ClusterIP; address != core.ClusterIPNone {
		return ipv4(address)
	}
	var addresses []net.IP
	for _, object := range slices.List() {
		slice := object.(*discovery.EndpointSlice)
		if slice.Namespace != namespace || slice.Labels[discovery.LabelServiceName] != service {
			continue
		}
		for _, endpoint := range slice.Endpoints {
			if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
				addresses = append(addresses, ipv4(endpoint.Addresses...)...)
			}
		}
	}
	return addresses
}

// ipv4 returns the addresses of that family: pods of the lab have no others.
func ipv4(texts ...string) []net.IP {
	var addresses []net.IP
	for _, text := range texts {
		if address := net.ParseIP(text).To4(); address != nil {
			addresses = append(addresses, address)
		}
	}
	return addresses
}
