package dev.fairlead.cli.servers;

import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Remote;
import dev.fairlead.stdio.StdioCommand;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** A server, ready to be connected to. */
public sealed interface Target {
    /**
     * The name of the server in messages: its name in the servers file, its URL without the query,
     * or its program. Holds no secrets.
     */
    String label();

    /** The way to the server. */
    Remote remote();

    /** How the server is reached. */
    Transport transport();

    /**
     * Distinguishes servers without their secrets: a hash of scheme, host, port and path, or of the
     * command and the directory that it is started in. Headers, queries and the environment are not
     * part of it.
     */
    String place();

    /** A server behind a URL. */
    record Endpoint(String label, HttpConnector remote, Transport transport) implements Target {
        /** A server over Streamable HTTP, or over the transport that is detected there. */
        Endpoint(String label, HttpConnector remote) {
            this(label, remote, Transport.HTTP);
        }

        @Override
        public String place() {
            URI url = remote.endpoint();
            String host = Objects.requireNonNull(url.getHost()).toLowerCase(Locale.ROOT);
            return hash(
                    List.of(
                            transport.toString(),
                            url.getScheme().toLowerCase(Locale.ROOT),
                            host + ":" + url.getPort(),
                            Objects.requireNonNullElse(url.getRawPath(), "")));
        }

        /** The same server over HTTP+SSE. */
        Endpoint overSse() {
            return new Endpoint(label, remote.legacySse(), Transport.SSE);
        }
    }

    /**
     * A server that is started as a child process.
     *
     * @param place see {@link Target#place}
     */
    record Program(String label, StdioCommand remote, String place) implements Target {
        /**
         * @param command the program and its arguments
         * @param directory where it is started
         */
        Program(String label, StdioCommand remote, List<String> command, Path directory) {
            this(
                    label,
                    remote,
                    hash(
                            Stream.concat(
                                            Stream.of(directory.toAbsolutePath().toString()),
                                            command.stream())
                                    .toList()));
        }

        @Override
        public Transport transport() {
            return Transport.STDIO;
        }
    }

    private static String hash(List<String> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) { // a NUL is in none of them
                digest.update((part + "\0").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
