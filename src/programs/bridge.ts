// What stands between an isolated program and the runner's socket: `entry/bridge.ts`, or where there is Perl, the same in Perl,
// which starts in a tenth of the time that Node takes from the program.

/**
 * Connections never wait for one another: each has a process of its own. Fails at once without the module, so that
 * Node's takes over.
 */
const PERL_BRIDGE = `use Socket qw(:DEFAULT IPPROTO_TCP TCP_NODELAY);
my ($path, $program, $port) = @ARGV;
sub reach {
  my $runner;
  socket $runner, PF_UNIX, SOCK_STREAM, 0 and connect $runner, sockaddr_un($path) or exit;
  return $runner;
}
socket my $door, PF_INET, SOCK_STREAM, 0 or die;
setsockopt $door, SOL_SOCKET, SO_REUSEADDR, 1;
bind $door, sockaddr_in($port, INADDR_LOOPBACK) and listen $door, 128 or die;
$SIG{CHLD} = "IGNORE";
unless (fork) {
  my $leash = reach();
  syswrite $leash, "POST /looplia/leash HTTP/1.1\\r\\nHost: runner\\r\\n\\r\\n";
  1 while sysread $leash, my $said, 4096;
  kill "TERM", $program;
  sleep 1;
  kill "KILL", $program;
  exit;
}
while (accept my $inside, $door) {
  next if fork;
  close $door;
  setsockopt $inside, IPPROTO_TCP, TCP_NODELAY, 1;
  my $outside = reach();
  my $open = "";
  vec($open, fileno $_, 1) = 1 for $inside, $outside;
  while ($open =~ /[^\\0]/) {
    select my $ready = $open, undef, undef, undef;
    for ([$inside, $outside], [$outside, $inside]) {
      my ($from, $to) = @$_;
      next unless vec $ready, fileno $from, 1;
      my $got = sysread $from, my $bytes, 65536;
      unless ($got) { vec($open, fileno $from, 1) = 0; shutdown $to, 1; next }
      for (my $at = 0; $at < $got;) { $at += syswrite($to, $bytes, $got - $at, $at) // exit }
    }
  }
  exit;
}
die;`;

/**
 * Words for a shell, before the program's own: starts the bridge, then becomes the program, which is ready for its first
 * request long after the bridge, so neither waits for the other. `node`: the words of Node's bridge, which leads from the
 * port to the socket.
 */
export function shellBefore(
  node: readonly [node: string, script: string],
  { socket, port }: { socket: string; port: string },
  { folder, searchPath }: { folder: string; searchPath: string },
): string[] {
  return ["/bin/sh", "-c", START_BOTH, "sh", ...node, socket, port, PERL_BRIDGE, folder, searchPath];
}

const START_BOTH =
  '{ perl -e "$5" "$3" $$ "$4" || "$1" "$2" "$3" $$ "$4"; } </dev/null >/dev/null 2>&1 & cd "$6" && PATH=$7 && shift 7 && exec "$@"';
