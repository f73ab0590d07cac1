package dev.fairlead.http.spi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Addresses as text. Host names are refused, since a lookup of a name that a client chose is not
 * safe.
 */
public final class AddressLiteral {
    private static final String NUMBER = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(NUMBER + "(?:\\." + NUMBER + "){3}");
    private static final Pattern IPV6 =
            Pattern.compile("(?=[^:]*:)([0-9A-Fa-f:][0-9A-Fa-f:.]*)(?:%.*)?");

    private AddressLiteral() {}

    /**
     * The address that a literal such as {@code 192.0.2.1}, {@code 2001:db8::1} or {@code
     * [2001:db8::1]} stands for, without the zone that it may have ({@code %eth0}). Nothing is
     * looked up.
     *
     * @return empty if the text is something else
     */
    public static Optional<InetAddress> parse(String text) {
        if (IPV4.matcher(text).matches()) {
            return known(text);
        }
        boolean bracketed = text.startsWith("[") && text.endsWith("]");
        var ipv6 = IPV6.matcher(bracketed ? text.substring(1, text.length() - 1) : text);
        return ipv6.matches() ? known(ipv6.group(1)) : Optional.empty();
    }

    /**
     * Returns the address of a literal: with a digit or a colon in front and a colon inside, the
     * JDK never takes it for a name.
     */
    private static Optional<InetAddress> known(String literal) {
        try {
            return Optional.of(InetAddress.getByName(literal));
        } catch (UnknownHostException e) { // colons that are no address
            return Optional.empty();
        }
    }
}
