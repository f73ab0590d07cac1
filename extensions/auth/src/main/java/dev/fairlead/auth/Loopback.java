package dev.fairlead.auth;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/** The names by which a URL says that it means the machine it is used on. */
public final class Loopback {
    private static final Pattern LOOPBACK_4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private Loopback() {}

    /**
     * Returns whether the host is {@code localhost}, a name below it, or a loopback address as
     * such. Names that resolve to one do not count: the owner of the name controls its address.
     */
    public static boolean isNamedBy(URI url) {
        if (url.getHost() == null) {
            return false;
        }
        String host = url.getHost().toLowerCase(Locale.ROOT);
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.equals("[::1]")
                || LOOPBACK_4.matcher(host).matches();
    }
}
