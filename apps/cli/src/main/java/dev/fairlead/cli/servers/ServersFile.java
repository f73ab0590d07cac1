package dev.fairlead.cli.servers;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The file in which hosts keep their servers: a JSON object with a definition for each name, in the
 * member that the host has for them (see {@link Definitions}). Comments, and commas behind the last
 * element, are passed over. A definition has either {@code command}, {@code args}, {@code env} and
 * {@code cwd}, or {@code url} and {@code headers}; {@code type} may say which of them; members that
 * are not known are passed over, and named when the server is used.
 *
 * <p>One broken definition does not take the others away: it fails when it is asked for. A server
 * that the file disables is never started. Immutable.
 */
public final class ServersFile {
    private static final int MAX_BYTES = 1 << 20;

    private final Path path;
    private final Definitions definitions;
    private final Variables variables;

    private ServersFile(Path path, Definitions definitions, Variables variables) {
        this.path = path;
        this.definitions = definitions;
        this.variables = variables;
    }

    /**
     * The file that holds: the one that the user names, else that of {@code $FAIRLEAD_SERVERS},
     * else the first of {@code .mcp.json} and {@code mcp.json} in the working directory and {@code
     * fairlead/servers.json} in {@code $XDG_CONFIG_HOME} that exists.
     *
     * @param named by the user; null for none
     * @return empty if no file is named, and none of the usual ones exists
     * @throws TargetException as {@link #read} does
     */
    public static Optional<ServersFile> find(@Nullable Path named, Environment environment) {
        if (named != null) {
            return Optional.of(read(named, environment));
        }
        String variable = environment.variables().getOrDefault("FAIRLEAD_SERVERS", "");
        if (!variable.isEmpty()) {
            return Optional.of(read(Path.of(variable), environment));
        }
        return usualPlaces(environment).stream()
                .filter(Files::exists)
                .findFirst()
                .map(path -> read(path, environment));
    }

    /** The places where a file is looked for if none is named. */
    static List<Path> usualPlaces(Environment environment) {
        Path here = environment.directory();
        return List.of(
                here.resolve(".mcp.json"),
                here.resolve("mcp.json"),
                environment.settings().resolve("servers.json"));
    }

    /**
     * Reads a file.
     *
     * @param environment gives the variables, and the folder that a relative path starts from
     * @throws TargetException if the file cannot be read, is larger than 1 MiB, or is not a JSON
     *     object with servers
     */
    public static ServersFile read(Path path, Environment environment) {
        Path file = environment.directory().resolve(path);
        return new ServersFile(
                file, Definitions.read(file, text(file)), Variables.of(environment, file));
    }

    /**
     * The servers of a file that was read already.
     *
     * @param json has the servers in one of the usual places
     * @throws TargetException if it has none
     */
    public static ServersFile of(Path file, JsonObject json, Environment environment) {
        return new ServersFile(file, Definitions.of(file, json), Variables.of(environment, file));
    }

    /**
     * Returns the text of a file.
     *
     * @throws TargetException if it cannot be read, or is larger than 1 MiB
     */
    static String text(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new TargetException(path + ": is larger than 1 MiB");
            }
            if (isUtf16(bytes)) {
                throw new TargetException(path + ": is in UTF-16; save it in UTF-8");
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            return text.startsWith("\uFEFF") ? text.substring(1) : text; // some editors write it
        } catch (NoSuchFileException e) {
            throw new TargetException(path + ": no such file");
        } catch (IOException e) {
            throw new TargetException(path + ": cannot be read: " + e.getMessage());
        }
    }

    /** Returns whether a text begins with the mark of UTF-16, as shells on Windows write it. */
    private static boolean isUtf16(byte[] bytes) {
        int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF);
        return mark == 0xFEFF || mark == 0xFFFE;
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /** The names of the servers, in the order of the file. */
    public List<String> names() {
        return definitions.names();
    }

    /**
     * Disables the servers that other settings of the same host disable, too.
     *
     * @param file the file of the settings
     * @return a copy
     * @throws TargetException if their list is not an array of names
     */
    public ServersFile disabledBy(Path file, JsonObject settings) {
        return new ServersFile(path, definitions.disabledBy(file, settings), variables);
    }

    /** Returns whether the file has this server, and says that it is not to be used. */
    public boolean isDisabled(String name) {
        return definitions.disabledIn(path, name) != null;
    }

    /**
     * One server.
     *
     * @throws TargetException if there is none of this name, or its definition is broken
     */
    public ServerEntry entry(String name) {
        JsonValue json = definitions.get(name);
        if (json == null) {
            throw new TargetException(
                    "no server named " + JsonValue.of(name) + " in " + path + known());
        }
        Path disabledIn = definitions.disabledIn(path, name);
        return new Definition(path, name, json, variables, disabledIn).entry();
    }

    private String known() {
        return names().isEmpty()
                ? ", which contains none"
                : ", which contains " + String.join(", ", names());
    }
}
