import { podNetwork } from './network.ts';
import { pluginFolder } from './requirements.ts';

export const pauseImage = 'lab.local/pause:1';

/**
 * Script of the first process in the namespaces of a node. It hides some folders of the machine behind empty folders.
 * The node can change only the kernel settings of its own network. Some other settings are replaced by files with the
 * values that the kubelet expects. At the end, the script writes the file `$1`. It then becomes the program `$2`, which
 * keeps the namespaces open.
 */
export const namespacesScript = `set -e
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/log
mkdir -p /var/lib/cni
mount -t tmpfs tmpfs /var/lib/cni
mount --bind /proc/sys /proc/sys
mount --bind /proc/sys/net /proc/sys/net
mount -o remount,bind,ro /proc/sys
while read -r setting value; do
  echo "$value" > "/run/$(basename "$setting")"
  mount --bind "/run/$(basename "$setting")" "/proc/sys/$setting"
done <<EOF
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
EOF
echo $$ > "$1"
exec "$2"
`;

export function containerdConfig(folder: string, plugins: string, registries: string): string {
  return `version = 2
root = "${folder}"
state = "/run/containerd"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  stream_server_address = "127.0.0.1"
  # Root in a container may not lower an OOM score.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${pluginFolder}"
    conf_dir = "${plugins}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${registries}"
`;
}

export const networkPlugins = JSON.stringify({
  cniVersion: '0.4.0',
  name: 'lab',
  plugins: [
    {
      type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: true, hairpinMode: true,
      ipam: { type: 'host-local', ranges: [[{ subnet: podNetwork }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

interface KubeletOptions {
  readonly cgroup: string;
  readonly address: string;
  readonly authority: string;
  /** Folder with the files of the node. */
  readonly folder: string;
}

/** Returns the configuration of the kubelet. The text is JSON, which is valid YAML. */
export function kubeletConfig({ cgroup, address, authority, folder }: KubeletOptions): string {
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    address,
    healthzPort: 0,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: false }, x509: { clientCAFile: authority } },
    authorization: { mode: 'AlwaysAllow' },
    clusterDNS: [address],
    clusterDomain: 'cluster.local',
    resolvConf: `${folder}/resolv.conf`,
    podLogsDir: `${folder}/logs`,
    nodeStatusUpdateFrequency: '5s',
    // Keep all images: most of them are imported, so a removed image could not be pulled again.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  });
}
