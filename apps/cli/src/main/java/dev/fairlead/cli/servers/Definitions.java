package dev.fairlead.cli.servers;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The definitions of a servers file by their names, wherever its host keeps them. Where a file has
 * several such places the first counts, in the order of {@link #PLACES}.
 *
 * @param servers the definitions
 * @param off the files that disable servers beside their definitions, by the plain names of these
 */
record Definitions(JsonObject servers, Map<String, Path> off) {
    /** The members that hosts have for their servers, the path of each from the whole file on. */
    private static final List<List<String>> PLACES =
            List.of(
                    List.of("mcpServers"), // Claude, Cursor, Windsurf, Cline, Gemini and most
                    // others
                    List.of("servers"), // Visual Studio Code: mcp.json
                    List.of("mcp", "servers"), // Visual Studio Code: settings.json
                    List.of("mcp.servers"), // the same
                    List.of("context_servers"), // Zed
                    List.of("mcp_servers"), // Codex and others
                    List.of("amp.mcpServers"), // Amp
                    List.of("mcp")); // opencode

    /** The members of a definition that permit its use; Jan and Cherry Studio have the last two. */
    private static final List<String> ENABLED = List.of("enabled", "active", "isActive");

    /** The members that list servers that are not to be used. */
    private static final List<List<String>> OFF =
            List.of(
                    List.of("disabledServers"),
                    List.of("disabledMcpServers"), // Claude Code
                    List.of("disabledMcpjsonServers"),
                    List.of("mcp", "excluded"), // Gemini
                    List.of("excludeMCPServers")); // Gemini, formerly

    /** The members that list the only servers that may be used. */
    private static final List<List<String>> ALLOWED =
            List.of(List.of("mcp", "allowed"), List.of("allowMCPServers")); // Gemini

    /**
     * Reads the text of a file.
     *
     * @throws TargetException if it is not JSON, or has no servers in any of the places
     */
    static Definitions read(Path file, String text) {
        try {
            return of(file, JsonValue.parse(JsonWithComments.plain(text)));
        } catch (JsonException e) {
            throw new TargetException(file + ": " + e.getMessage());
        }
    }

    /**
     * Finds the servers of a file.
     *
     * @throws TargetException if there are none in any of the places
     */
    static Definitions of(Path file, JsonValue json) {
        for (List<String> place : PLACES) {
            if (at(json, place) instanceof JsonObject servers && isServers(place, servers)) {
                return new Definitions(servers, Map.of()).disabledBy(file, json);
            }
        }
        if (json instanceof JsonObject servers && !servers.isEmpty() && areObjects(servers)) {
            return new Definitions(servers, Map.of()); // without a member around it
        }
        throw new TargetException(
                file
                        + ": must be a JSON object with the servers in the object mcpServers (or"
                        + " servers, as Visual Studio Code has it)");
    }

    private static @Nullable JsonValue at(JsonValue json, List<String> place) {
        JsonValue value = json;
        for (String member : place) {
            value = value instanceof JsonObject object ? object.get(member) : null;
        }
        return value;
    }

    /** A member with so short a name may contain anything. */
    private static boolean isServers(List<String> place, JsonObject servers) {
        return !place.equals(List.of("mcp")) || areObjects(servers);
    }

    private static boolean areObjects(JsonObject servers) {
        Predicate<JsonValue> isDefinition =
                value ->
                        value instanceof JsonObject definition
                                && Definition.PLACES.stream().anyMatch(definition::has);
        return servers.members().values().stream().allMatch(isDefinition);
    }

    /**
     * Disables the servers that the lists of some settings disable, too.
     *
     * @param file the file of the settings
     * @throws TargetException if such a member is not an array of names
     */
    Definitions disabledBy(Path file, JsonValue settings) {
        Map<String, Path> disabled = new HashMap<>(off);
        for (List<String> place : OFF) {
            Set<String> listed = names(file, settings, place);
            if (listed != null) {
                listed.forEach(name -> disabled.putIfAbsent(name, file));
            }
        }
        for (List<String> place : ALLOWED) {
            Set<String> listed = names(file, settings, place);
            if (listed != null) {
                servers.names().stream()
                        .map(Definitions::plain)
                        .filter(name -> !listed.contains(name))
                        .forEach(name -> disabled.putIfAbsent(name, file));
            }
        }
        return new Definitions(servers, disabled);
    }

    /** The names in a list; null where it is absent. */
    private static @Nullable Set<String> names(Path file, JsonValue json, List<String> place) {
        JsonValue listed = at(json, place);
        if (listed == null || listed == JsonNull.NULL) {
            return null;
        }
        if (!(listed instanceof JsonArray array)) {
            throw notNames(file, place);
        }
        Set<String> names = new HashSet<>();
        array.elements().forEach(name -> names.add(plain(name(file, place, name))));
        return names;
    }

    /** The form in which Gemini compares names. */
    private static String plain(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }

    private static String name(Path file, List<String> place, JsonValue name) {
        if (!(name instanceof JsonString text)) {
            throw notNames(file, place);
        }
        return text.value();
    }

    private static TargetException notNames(Path file, List<String> place) {
        return new TargetException(
                file + ": " + String.join(".", place) + " must be an array of names of servers");
    }

    List<String> names() {
        return List.copyOf(servers.names());
    }

    @Nullable JsonValue get(String name) {
        return servers.get(name);
    }

    /**
     * The file that disables a server; null where none does. A value that cannot be read as a
     * permission to use the server is none.
     *
     * @param file the file of these definitions
     */
    @Nullable Path disabledIn(Path file, String name) {
        return servers.get(name) instanceof JsonObject definition
                        && (isOff(definition) || isOff(Definition.unfolded(definition)))
                ? file
                : off.get(plain(name));
    }

    private static boolean isOff(JsonObject definition) {
        return !is(definition.get("disabled"), false)
                || ENABLED.stream().anyMatch(member -> !is(definition.get(member), true));
    }

    private static boolean is(@Nullable JsonValue value, boolean wanted) {
        return switch (value) {
            case null -> true;
            case JsonNull nothing -> true;
            case JsonBoolean flag -> flag.value() == wanted;
            case JsonString text -> text.value().equalsIgnoreCase(String.valueOf(wanted));
            default -> false;
        };
    }
}
