#!/usr/bin/perl
# Starts the Chromium that PLATFORM_CHROMIUM names, without netlink sockets.
#
# Chromium watches the machine's network interfaces through netlink. Whenever an address appears, as it does for each
# container that starts, it fails all queued requests with net::ERR_NETWORK_CHANGED, and no switch turns that off. A page
# whose scripts were queued never hydrates. Without netlink Chromium assumes a network that is always there.
# The seccomp filter answers socket(AF_NETLINK, …) with EAFNOSUPPORT and allows everything else.
use strict;
use warnings;
use POSIX ();

my %systems = (x86_64 => [157, 41, 0xC000003E], aarch64 => [167, 198, 0xC00000B7]);
my $chromium = $ENV{PLATFORM_CHROMIUM} or die "PLATFORM_CHROMIUM is not set\n";
my $system = $systems{ (POSIX::uname())[4] } or exec $chromium, @ARGV;
my ($prctl, $socket, $architecture) = @$system;

# A BPF instruction: code, jump if true, jump if false, value.
sub instruction { pack "SCCL", @_ }

my $filter = join "",
  instruction(0x20, 0, 0, 4), instruction(0x15, 0, 5, $architecture),    # the architecture
  instruction(0x20, 0, 0, 0), instruction(0x15, 0, 3, $socket),          # the system call
  instruction(0x20, 0, 0, 16), instruction(0x15, 0, 1, 16),              # its first argument: AF_NETLINK
  instruction(0x06, 0, 0, 0x00050000 | 97),                              # refuse with EAFNOSUPPORT
  instruction(0x06, 0, 0, 0x7fff0000);                                   # allow
my $program = pack "S x6 P", length($filter) / 8, $filter;
my ($no_new_privileges, $set_seccomp, $filter_mode) = (38, 22, 2);
syscall($prctl, $no_new_privileges, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
syscall($prctl, $set_seccomp, $filter_mode, $program, 0, 0) == 0 or die "seccomp: $!\n";
exec $chromium, @ARGV or die "cannot start $chromium: $!\n";
