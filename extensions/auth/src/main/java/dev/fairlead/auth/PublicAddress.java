package dev.fairlead.auth;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Distinguishes addresses of the public internet from all others: private, link-local,
 * unique-local, loopback, shared, multicast, unspecified and reserved ones, and forms of IPv6 that
 * hide an IPv4 address.
 */
final class PublicAddress {
    private static final List<Block> RESERVED_4 =
            List.of(
                    block("00000000", 8), // this network
                    block("0a000000", 8), // private
                    block("64400000", 10), // shared between carriers
                    block("7f000000", 8), // loopback
                    block("a9fe0000", 16), // link-local, metadata of clouds
                    block("ac100000", 12), // private
                    block("c0000000", 24), // protocol assignments
                    block("c0000200", 24), // documentation
                    block("c0586300", 24), // 6to4 relays
                    block("c0a80000", 16), // private
                    block("c6120000", 15), // benchmarks
                    block("c6336400", 24), // documentation
                    block("cb007100", 24), // documentation
                    block("e0000000", 3)); // multicast, reserved, broadcast

    private static final Block GLOBAL_6 = block("20000000000000000000000000000000", 3);
    private static final List<Block> RESERVED_6 =
            List.of(
                    block("20010000000000000000000000000000", 23), // Teredo, protocol assignments
                    block("20010db8000000000000000000000000", 32), // documentation
                    block("20020000000000000000000000000000", 16), // 6to4
                    block("3fff0000000000000000000000000000", 20)); // documentation
    private static final Block NAT64 = block("0064ff9b000000000000000000000000", 96);

    private PublicAddress() {}

    static boolean is(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 4 ? isPublic4(bytes) : isPublic6(bytes);
    }

    private static boolean isPublic4(byte[] address) {
        return RESERVED_4.stream().noneMatch(block -> block.contains(address));
    }

    private static boolean isPublic6(byte[] address) {
        if (NAT64.contains(address)) { // the form of every IPv4 address in a network without IPv4
            return isPublic4(Arrays.copyOfRange(address, 12, 16));
        }
        return GLOBAL_6.contains(address)
                && RESERVED_6.stream().noneMatch(block -> block.contains(address));
    }

    private static Block block(String prefix, int bits) {
        return new Block(HexFormat.of().parseHex(prefix), bits);
    }

    /** The addresses that begin with the same bits. */
    private record Block(byte[] prefix, int bits) {
        boolean contains(byte[] address) {
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i % 8);
                if (((address[i / 8] ^ prefix[i / 8]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
