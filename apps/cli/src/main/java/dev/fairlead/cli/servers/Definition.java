package dev.fairlead.cli.servers;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The JSON object that defines one server, read member by member under any of the names that hosts
 * have for it. Failures name file, server and member, never a value.
 */
final class Definition {
    private static final System.Logger LOGGER = System.getLogger(Definition.class.getName());

    /** The members that say where a server is. */
    static final List<String> PLACES = List.of("command", "url", "serverUrl", "httpUrl");

    /** The other names that hosts have for a member. */
    private static final Map<String, List<String>> SYNONYMS =
            Map.of(
                    "url", List.of("serverUrl", "httpUrl"), // Windsurf, Gemini
                    "env", List.of("environment"), // opencode
                    "headers", List.of("http_headers"), // Codex
                    "type", List.of("transport", "transportType"));

    private static final Set<String> KNOWN =
            Set.of(
                    "command",
                    "args",
                    "env",
                    "envFile",
                    "cwd",
                    "inheritEnv",
                    "url",
                    "headers",
                    "type",
                    "disabled",
                    "enabled",
                    "active",
                    "isActive",
                    "serverUrl",
                    "httpUrl",
                    "environment",
                    "http_headers",
                    "transport",
                    "transportType");

    /** Members for the person before a host, or for its own windows. */
    private static final Set<String> OF_HOSTS =
            Set.of(
                    "name",
                    "description",
                    "title",
                    "icon",
                    "version",
                    "note",
                    "comment",
                    "gallery",
                    "source",
                    "autoApprove",
                    "alwaysAllow",
                    "trust",
                    "timeout");

    /** How many members that are not used are named. */
    private static final int MOST_UNUSED = 8;

    private final Path file;
    private final String server;
    private final JsonObject json;
    private final Variables variables;
    private final @Nullable Path disabledIn;

    /**
     * @param disabledIn the file that disables the server; null where none does
     */
    Definition(
            Path file,
            String server,
            JsonValue json,
            Variables variables,
            @Nullable Path disabledIn) {
        this.file = file;
        this.server = server;
        this.variables = variables;
        this.disabledIn = disabledIn;
        if (!(json instanceof JsonObject object)) {
            throw wrong("must be an object but was " + kind(json));
        }
        this.json = unfolded(object);
    }

    /**
     * Converts a command with its arguments and environment, as Zed has written it, to the usual
     * form.
     */
    static JsonObject unfolded(JsonObject object) {
        if (!(object.get("command") instanceof JsonObject command)) {
            return object;
        }
        Map<String, JsonValue> unfolded = new LinkedHashMap<>(object.without("command").members());
        command.members()
                .forEach(
                        (member, value) ->
                                unfolded.put(member.equals("path") ? "command" : member, value));
        return new JsonObject(unfolded);
    }

    /**
     * Makes sure that the server may be used, and logs which members of its definition have no
     * effect here.
     *
     * @throws TargetException if a file of its host disables it
     */
    void use() {
        if (disabledIn != null) {
            String where = disabledIn.equals(file) ? "there" : "in " + disabledIn;
            throw wrong("is disabled " + where + ", so it is not started");
        }
        List<String> unused =
                json.names().stream()
                        .filter(name -> !KNOWN.contains(name) && !OF_HOSTS.contains(name))
                        .map(Printable::excerpt)
                        .toList();
        if (!unused.isEmpty()) {
            int named = Math.min(unused.size(), MOST_UNUSED);
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "{0}: server {1}: not used: {2}{3}",
                    file,
                    JsonValue.of(server),
                    String.join(", ", unused.subList(0, named)),
                    named == unused.size() ? "" : " and " + (unused.size() - named) + " more");
        }
    }

    /** Returns the entry that is defined here. */
    ServerEntry entry() {
        Transport transport = transport();
        return switch (transport) {
            case STDIO -> new ProgramEntry(this);
            case HTTP, SSE -> new EndpointEntry(this, transport);
        };
    }

    private Transport transport() {
        boolean program = has("command");
        if (program == has("url")) {
            throw wrong(
                    program
                            ? "has both command and url"
                            : "needs a command (stdio) or a url (http)");
        }
        List<Transport> possible =
                program ? List.of(Transport.STDIO) : List.of(Transport.HTTP, Transport.SSE);
        String type = optionalText("type");
        if (type == null) {
            return possible.get(0);
        }
        return possible.stream()
                .filter(transport -> transport.isCalled(type))
                .findFirst()
                .orElseThrow(
                        () ->
                                wrong(
                                        "type must be "
                                                + (program
                                                        ? "stdio where there is a command"
                                                        : "http or sse where there is a url")
                                                + " but was "
                                                + JsonValue.of(type)));
    }

    String server() {
        return server;
    }

    /** The folder that relative paths of the file start from. */
    Path folder() {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    /** The variables of the file that {@code envFile} names, from the workspace on; often none. */
    Map<String, String> variablesOfFile() {
        String path = optionalText("envFile");
        if (path == null) {
            return Map.of();
        }
        Path envFile = path("envFile", variables.workspace(), expand("envFile", path));
        try {
            return EnvFile.variables(envFile);
        } catch (TargetException e) {
            throw wrong("envFile " + e.getMessage());
        }
    }

    /** Returns the path of a member, which may be relative to a folder. */
    Path path(String member, Path folder, String path) {
        try {
            return folder.resolve(path);
        } catch (InvalidPathException e) {
            throw wrong(member + " is no path: " + e.getReason());
        }
    }

    /** Returns whether there is such a member, null aside. */
    boolean has(String member) {
        return find(member) != null;
    }

    /**
     * A member under whichever name it has.
     *
     * @return null if it is absent or null
     * @throws TargetException if it is there under several names with different values
     */
    private @Nullable JsonValue find(String member) {
        JsonValue found = notNull(json.get(member));
        String name = member;
        for (String synonym : SYNONYMS.getOrDefault(member, List.of())) {
            JsonValue other = notNull(json.get(synonym));
            if (found != null && other != null && !found.equals(other)) {
                throw wrong("has both " + name + " and " + synonym);
            }
            if (found == null && other != null) {
                found = other;
                name = synonym;
            }
        }
        return found;
    }

    private static @Nullable JsonValue notNull(@Nullable JsonValue value) {
        return value == JsonNull.NULL ? null : value;
    }

    /** The program and its arguments, which may all be in one array. */
    List<String> command() {
        List<String> words = new ArrayList<>();
        if (find("command") instanceof JsonArray) {
            words.addAll(texts("command"));
            if (words.isEmpty() || words.getFirst().isBlank()) {
                throw wrong("command must not be empty");
            }
        } else {
            words.add(text("command"));
        }
        words.addAll(texts("args"));
        return words;
    }

    /** A text that must be there and not be blank. */
    String text(String member) {
        String text = optionalText(member);
        if (text == null || text.isBlank()) {
            throw wrong(member + (text == null ? " is missing" : " must not be empty"));
        }
        return text;
    }

    @Nullable String optionalText(String member) {
        JsonValue value = find(member);
        return value == null ? null : text(member, value);
    }

    /** A boolean; false where it is absent. */
    boolean flag(String member) {
        if (!has(member)) {
            return false;
        }
        if (!(find(member) instanceof JsonBoolean flag)) {
            throw wrong(member + " must be true or false");
        }
        return flag.value();
    }

    List<String> texts(String member) {
        if (!has(member)) {
            return List.of();
        }
        if (!(find(member) instanceof JsonArray array)) {
            throw wrong(member + " must be an array of strings");
        }
        List<String> texts = new ArrayList<>();
        for (JsonValue element : array.elements()) {
            texts.add(word(member + "[" + texts.size() + "]", element));
        }
        return texts;
    }

    Map<String, String> textsByName(String member) {
        JsonValue found = find(member);
        if (found == null || found.equals(JsonArray.EMPTY)) { // as some programs write an object
            return Map.of();
        }
        if (!(found instanceof JsonObject object)) {
            throw wrong(member + " must be an object of strings");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        object.members()
                .forEach(
                        (name, value) -> {
                            if (value != JsonNull.NULL) { // is not set
                                texts.put(name, word(member + "." + name, value));
                            }
                        });
        return texts;
    }

    /** A text; a number or a boolean is taken as it is written. */
    private String word(String place, JsonValue value) {
        return value instanceof JsonNumber || value instanceof JsonBoolean
                ? value.toJson()
                : text(place, value);
    }

    private String text(String place, JsonValue value) {
        if (!(value instanceof JsonString text)) {
            throw wrong(place + " must be a string but was " + kind(value));
        }
        if (text.value().indexOf('\0') >= 0) {
            throw wrong(place + " must not contain a NUL character");
        }
        return text.value();
    }

    /** The text of a member with the values of its variables. */
    String expand(String member, String text) {
        try {
            return variables.expand(text);
        } catch (TargetException e) {
            throw wrong(member + " " + e.getMessage());
        }
    }

    /** The failure of this definition. */
    TargetException wrong(String what) {
        return new TargetException(file + ": server \"" + server + "\": " + what);
    }

    private static String kind(JsonValue value) {
        return switch (value) {
            case JsonObject object -> "an object";
            case JsonArray array -> "an array";
            case JsonString text -> "a string";
            case JsonNumber number -> "a number";
            case JsonBoolean flag -> "a boolean";
            case JsonNull nothing -> "null";
        };
    }
}
