package dev.fairlead.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses that begin alike.
 *
 * @param address one of them
 * @param bits how many of its bits they have in common
 */
record Network(InetAddress address, int bits) {
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

    /**
     * A network such as {@code 10.0.0.0/8}, or a single address.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    static Network parse(String text) {
        int slash = text.indexOf('/');
        Optional<InetAddress> address = address(slash < 0 ? text : text.substring(0, slash));
        int most = address.map(some -> some.getAddress().length * 8).orElse(0);
        int bits = slash < 0 ? most : number(text.substring(slash + 1));
        if (address.isEmpty() || bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    "a proxy is an address or a network such as 10.0.0.0/8 but was " + text);
        }
        return new Network(address.get(), bits);
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : -1;
    }

    /** The address that a literal stands for; no name is ever looked up. */
    static Optional<InetAddress> address(String literal) {
        if (!IPV4.matcher(literal).matches() && !IPV6.matcher(literal).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(literal));
        } catch (UnknownHostException e) { // a number is too large
            return Optional.empty();
        }
    }

    /** Whether an address is one of these. */
    boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] its = other.getAddress();
        if (mine.length != its.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if (((mine[bit / 8] ^ its[bit / 8]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
