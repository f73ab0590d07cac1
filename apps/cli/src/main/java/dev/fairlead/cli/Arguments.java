package dev.fairlead.cli;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.RawJson;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads JSON objects that the user gives: as they are, from {@code @FILE}, or {@code -} for
 * standard input.
 */
final class Arguments {
    private final InputStream in;

    Arguments(InputStream in) {
        this.in = in;
    }

    /**
     * The object that the user gave.
     *
     * @param option the option that gave it, such as {@code --args}
     * @param given the value of the option; null gives the empty object
     * @throws UsageException if there is no JSON object
     */
    JsonObject object(String option, @Nullable String given) {
        if (given == null) {
            return JsonObject.EMPTY;
        }
        try {
            if (RawJson.parse(text(option, given)).value() instanceof JsonObject object) {
                return object;
            }
        } catch (JsonException e) {
            throw new UsageException(option + " must be JSON: " + e.getMessage());
        }
        throw new UsageException(option + " must be a JSON object, such as {\"name\": \"value\"}");
    }

    /** The same for arguments that are texts only: other values become their JSON text. */
    Map<String, String> texts(String option, @Nullable String given) {
        Map<String, String> texts = new LinkedHashMap<>();
        object(option, given)
                .members()
                .forEach(
                        (name, value) -> {
                            if (value instanceof JsonString text) {
                                texts.put(name, text.value());
                            } else if (!(value instanceof JsonNull)) {
                                texts.put(name, value.toJson());
                            }
                        });
        return texts;
    }

    private byte[] text(String option, String given) {
        try {
            if (given.equals("-")) {
                return in.readAllBytes();
            }
            return given.startsWith("@")
                    ? Files.readAllBytes(Path.of(given.substring(1)))
                    : given.getBytes(StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new UsageException(option + ": no such file: " + e.getFile());
        } catch (IOException | InvalidPathException e) {
            throw new UsageException(option + " cannot be read: " + e.getMessage());
        }
    }
}
