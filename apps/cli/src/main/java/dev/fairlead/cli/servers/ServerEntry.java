package dev.fairlead.cli.servers;

/**
 * A server of a {@link ServersFile}, its variables not yet filled in. Its text holds none of the
 * values of its environment and headers.
 */
public sealed interface ServerEntry permits ProgramEntry, EndpointEntry {
    /** The name of the server in the file. */
    String name();

    /** Returns how the server is reached. */
    Transport transport();

    /**
     * The command line without the values of flags that name a secret, or the URL without its
     * query, as the file has it.
     */
    String summary();

    /**
     * The server itself, with the variables filled in. Logs which members of its definition have no
     * effect.
     *
     * @throws TargetException if the file disables it, a variable is missing, or a value cannot be
     *     used
     */
    Target target();
}
