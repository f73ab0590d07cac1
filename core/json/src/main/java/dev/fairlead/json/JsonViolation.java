package dev.fairlead.json;

/**
 * One violation of a type or a schema by a value.
 *
 * @param path where, such as {@code days}, {@code items[2].name}; empty for the whole value
 * @param message the expectation, such as {@code must be an integer but was a string}
 */
public record JsonViolation(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + " " + message;
    }
}
