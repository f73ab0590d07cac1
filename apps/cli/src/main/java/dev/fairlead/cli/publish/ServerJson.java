package dev.fairlead.cli.publish;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A {@code server.json} for the registry of MCP servers.
 *
 * @spec https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json Schema of
 *     server.json
 */
public final class ServerJson {
    private static final String SCHEMA =
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

    private static final String PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided";

    /** The most bytes that the registry takes of a publisher's own members. */
    private static final int MAX_META = 4_096;

    /**
     * Characters that the registry escapes, with six bytes each, when it measures these members.
     */
    private static final Pattern ESCAPED = Pattern.compile("[<>&\u2028\u2029]");

    private static final Pattern GITHUB =
            Pattern.compile("https://(www[.])?github[.]com/[\\w.-]+/[\\w.-]+/?");

    private static final Pattern GITLAB =
            Pattern.compile("https://(www[.])?gitlab[.]com/[\\w.-]+(/[\\w.-]+)+/?");

    /** The URLs from which the registry takes bundles. */
    private static final Pattern RELEASES =
            Pattern.compile(
                    "https://(www[.])?(github[.]com/[^/\\s]+/[^/\\s]+/releases/download/[^/\\s]+/[^/\\s]+"
                        + "|gitlab[.]com/\\S+/-/(releases/[^/\\s]+/downloads/[^/\\s]+"
                        + "|package_files/[0-9]+/download))");

    private final PublishedServer server;
    private final List<JsonObject> packages = new ArrayList<>();
    private final List<JsonObject> remotes = new ArrayList<>();
    private @Nullable String name;
    private @Nullable String description;
    private @Nullable String repository;

    public ServerJson(PublishedServer server) {
        this.server = server;
    }

    /** Sets the name in the registry, such as {@code io.github.ada/hello}; null leaves it. */
    public ServerJson name(@Nullable String text) {
        name = text;
        return this;
    }

    /** Sets the description; null takes that of the server. */
    public ServerJson description(@Nullable String text) {
        description = text;
        return this;
    }

    /** Sets the page of the sources; null for none. */
    public ServerJson repository(@Nullable String url) {
        repository = url;
        return this;
    }

    /** Adds an image of a container. */
    public ServerJson image(String reference) {
        packages.add(stdio("oci", reference));
        return this;
    }

    /**
     * Adds a bundle for hosts.
     *
     * @throws TargetException if the registry takes no bundle from that URL
     */
    public ServerJson bundle(String url, String sha256) {
        if (!RELEASES.matcher(url).matches()) {
            throw new TargetException(
                    "the registry takes bundles from releases at github.com and gitlab.com only,"
                        + " such as https://github.com/USER/SERVER/releases/download/TAG/FILE, but"
                        + " --mcpb is "
                            + url);
        }
        packages.add(stdio("mcpb", url).with("fileSha256", sha256));
        return this;
    }

    private static JsonObject stdio(String type, String identifier) {
        return JsonObject.of(
                "registryType",
                type,
                "identifier",
                identifier,
                "transport",
                JsonObject.of("type", "stdio"));
    }

    /** Adds a URL at which the server can be reached, unless its host is not a public one. */
    public ServerJson remote(String url) {
        if (isPublic(String.valueOf(URI.create(url).getHost()).toLowerCase(Locale.ROOT))) {
            remotes.add(JsonObject.of("type", "streamable-http", "url", url));
        }
        return this;
    }

    private static boolean isPublic(String host) {
        return AddressLiteral.parse(host)
                .map(
                        address ->
                                UrlPolicy.publicOnly()
                                        .allows(URI.create("https://" + host), address))
                .orElseGet(() -> !host.equals("localhost") && !host.endsWith(".localhost"));
    }

    /**
     * Returns the document.
     *
     * @throws TargetException if a member is missing, or breaks a rule of the registry
     */
    public JsonObject json() {
        if (packages.isEmpty() && remotes.isEmpty()) {
            throw new TargetException(
                    "server.json names no way to get the server; give --image REFERENCE, --mcpb URL"
                            + " with --file FILE, or a TARGET with a public URL");
        }
        JsonObject json =
                JsonObject.of(
                        "$schema", SCHEMA, "name", registryName(), "description", described());
        if (server.info().title() != null) {
            json = json.with("title", server.info().title());
        }
        json = json.with("version", server.info().version());
        if (server.info().websiteUrl() != null) {
            json = json.with("websiteUrl", server.info().websiteUrl());
        }
        if (repository != null) {
            json = json.with("repository", source(repository));
        }
        json = packages.isEmpty() ? json : json.with("packages", packages);
        json = remotes.isEmpty() ? json : json.with("remotes", remotes);
        return Rules.SERVER_JSON.check(withTools(json));
    }

    private String registryName() {
        String given = Objects.requireNonNullElse(name, server.info().name());
        if (!given.contains("/")) {
            throw new TargetException(
                    "the registry needs a name such as io.github.USER/"
                            + given
                            + "; give --name NAME");
        }
        return given;
    }

    private String described() {
        String text = description == null ? server.description() : description;
        if (text == null) {
            throw new TargetException("the server has no description; give --description TEXT");
        }
        return text;
    }

    private static JsonObject source(String url) {
        if (GITHUB.matcher(url).matches()) {
            return JsonObject.of("url", url, "source", "github");
        }
        if (GITLAB.matcher(url).matches()) {
            return JsonObject.of("url", url, "source", "gitlab");
        }
        throw new TargetException(
                "the registry takes repositories at github.com and gitlab.com only, such as"
                        + " https://github.com/USER/SERVER, but --repository is "
                        + url
                        + "; leave it out");
    }

    /** The names of its tools, where the registry takes so much. */
    private JsonObject withTools(JsonObject json) {
        JsonObject own = JsonObject.of("tools", server.tools().stream().map(Tool::name).toList());
        return server.tools().isEmpty() || bytes(own.toJson()) > MAX_META
                ? json
                : json.with("_meta", JsonObject.of(PUBLISHER, own));
    }

    private static int bytes(String json) {
        return ESCAPED.matcher(json)
                .replaceAll("\\\\u0000")
                .getBytes(StandardCharsets.UTF_8)
                .length;
    }
}
