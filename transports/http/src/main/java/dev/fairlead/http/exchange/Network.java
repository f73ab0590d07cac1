package dev.fairlead.http.exchange;

import dev.fairlead.http.spi.AddressLiteral;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Addresses that begin alike.
 *
 * @param address one of them
 * @param bits how many of its bits they have in common
 */
public record Network(InetAddress address, int bits) {
    /**
     * A network such as {@code 10.0.0.0/8}, or a single address.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        Optional<InetAddress> address =
                AddressLiteral.parse(slash < 0 ? text : text.substring(0, slash));
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

    /** Returns whether an address is one of these. */
    public boolean contains(InetAddress other) {
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
