package dev.fairlead.cli;

/** The address to listen at. */
record Address(String host, int port) {
    /**
     * Reads {@code HOST:PORT}; an IPv6 address stands in brackets.
     *
     * @throws UsageException if it is none
     */
    static Address parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw new UsageException("--http needs HOST:PORT but was " + text);
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return new Address(
                bracketed ? host.substring(1, host.length() - 1) : host,
                port(text.substring(colon + 1)));
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the one message for every bad port
        }
        throw new UsageException("a port is a number from 0 to 65535 but was " + text);
    }
}
