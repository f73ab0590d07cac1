package dev.fairlead.auth.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host. */
@FunctionalInterface
interface Resolver {
    /** All of them, at least one. May block. */
    List<InetAddress> addresses(String host) throws UnknownHostException;
}
