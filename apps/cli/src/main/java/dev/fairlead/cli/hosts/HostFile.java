package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The file of a host. Only the definition of one server changes; comments and everything else stay
 * as they are, which is checked before anything is written. For use by one thread.
 */
public final class HostFile {
    /** Claude Code keeps the history of a user in the same file. */
    private static final int MAX_BYTES = 16 << 20;

    /** The file with a member {@code enabled} for each server that a command has switched off. */
    static final String GEMINI_SWITCHES = "mcp-server-enablement.json";

    private final Host host;
    private final Path path;

    private HostFile(Host host, Path path) {
        this.host = host;
        this.path = path;
    }

    /** The file for all projects of the user. */
    public static HostFile ofUser(Host host, Platform platform, Environment environment) {
        return at(host, host.userFile(platform, environment), environment);
    }

    /**
     * The file for the project in the working directory.
     *
     * @return empty if the host has none
     */
    public static Optional<HostFile> ofProject(Host host, Environment environment) {
        return Optional.ofNullable(host.projectFile())
                .map(file -> at(host, Path.of(file), environment));
    }

    /** A file in another place. */
    public static HostFile at(Host host, Path path, Environment environment) {
        return new HostFile(host, environment.directory().resolve(path).normalize());
    }

    public Host host() {
        return host;
    }

    public Path path() {
        return path;
    }

    public boolean exists() {
        return Files.exists(path);
    }

    /**
     * The servers in it. Those that the host has switched off, here or in its settings beside, are
     * disabled.
     *
     * @return empty if there is no such file, or it has no servers
     * @throws TargetException if it, or one of those settings, cannot be read
     */
    public Optional<ServersFile> servers(Environment environment) {
        JsonObject json = json(text());
        JsonObject servers = object(json, host.container());
        if (host == Host.CODEX) {
            servers = CodexServers.asOthersWrite(servers);
        } else if (host == Host.CLAUDE_CODE) {
            servers = servers.with(object(project(json, environment), "mcpServers"));
        }
        if (servers.isEmpty()) {
            return Optional.empty();
        }
        ServersFile file = ServersFile.of(path, json.with(host.container(), servers), environment);
        Platform platform = Platform.current();
        boolean isOfUser = path.equals(ofUser(host, platform, environment).path);
        for (Path place : host.switches(platform, environment)) {
            HostFile switches = at(host, place, environment);
            for (JsonObject lists : switches.lists(environment)) {
                file =
                        file.disabledBy(
                                switches.path,
                                isOfUser ? lists.without("disabledMcpjsonServers") : lists);
            }
        }
        return Optional.of(file);
    }

    /** The objects of this file that may list disabled servers. */
    private List<JsonObject> lists(Environment environment) {
        JsonObject json = json(text());
        if (host != Host.CODEX && !path.endsWith(GEMINI_SWITCHES)) {
            return List.of(json, project(json, environment));
        }
        JsonObject states = host == Host.CODEX ? object(json, host.container()) : json;
        List<String> off =
                states.names().stream()
                        .filter(name -> object(states, name).get("enabled") == JsonBoolean.FALSE)
                        .toList();
        return List.of(JsonObject.of("disabledServers", off));
    }

    /** The settings of Claude Code for the project in the working directory. */
    private static JsonObject project(JsonObject json, Environment environment) {
        return object(object(json, "projects"), environment.directory().toString());
    }

    private static JsonObject object(JsonObject json, String member) {
        return json.get(member) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    /** Returns whether it has a server of this name. */
    public boolean has(String name) {
        return object(json(text()), host.container()).has(name);
    }

    /**
     * Adds a server, or replaces that of its name.
     *
     * @return the change, not yet written
     * @throws TargetException if the file cannot be read or changed
     */
    public FileChange with(String name, JsonObject definition) {
        String before = text();
        JsonObject old = json(before);
        JsonObject servers = object(old, host.container());
        return changed(
                before,
                old.with(host.container(), servers.with(name, definition)),
                text -> text.with(host.container(), name, definition),
                text -> text.with(host.container(), name, definition));
    }

    /**
     * Removes a server.
     *
     * @return the change, not yet written
     * @throws TargetException if the file cannot be read or changed, or has no such server
     */
    public FileChange without(String name) {
        String before = text();
        JsonObject old = json(before);
        JsonObject servers = object(old, host.container());
        if (!servers.has(name)) {
            throw new TargetException("no server " + JsonValue.of(name) + " in " + path);
        }
        return changed(
                before,
                old.with(host.container(), servers.without(name)),
                text -> text.without(host.container(), name),
                text -> text.without(host.container(), name));
    }

    private FileChange changed(
            String before,
            JsonObject expected,
            UnaryOperator<JsonText> inJson,
            UnaryOperator<TomlText> inToml) {
        String after;
        try {
            after =
                    host == Host.CODEX
                            ? inToml.apply(new TomlText(before)).toString()
                            : inJson.apply(new JsonText(before)).toString();
        } catch (IllegalArgumentException | JsonException e) {
            throw byHand();
        }
        if (!withoutEmpty(json(after)).equals(withoutEmpty(expected))) {
            throw byHand();
        }
        return new FileChange(path, before, after);
    }

    /** A table without members may be there or not. */
    private JsonObject withoutEmpty(JsonObject json) {
        return object(json, host.container()).isEmpty() ? json.without(host.container()) : json;
    }

    private TargetException byHand() {
        return new TargetException(
                path + ": is written in a way that cannot be changed safely; change it by hand");
    }

    /** The text of the file; empty if there is none. */
    private String text() {
        try {
            String text = UserFiles.read(path, MAX_BYTES);
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (IOException e) {
            if (e.getCause() instanceof NoSuchFileException || !Files.exists(path)) {
                return "";
            }
            throw new TargetException(path + ": cannot be read: " + UserFiles.reason(e));
        }
    }

    private JsonObject json(String text) {
        try {
            if (host == Host.CODEX) {
                return new TomlText(text).json();
            }
            if (new JsonText(text).json() instanceof JsonObject object) {
                return object;
            }
        } catch (JsonException | IllegalArgumentException e) {
            throw new TargetException(path + ": " + e.getMessage());
        }
        throw new TargetException(path + ": must be a JSON object");
    }
}
