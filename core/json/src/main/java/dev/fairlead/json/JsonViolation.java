package dev.fairlead.json;

/**
 * One way in which a value is not what was asked for.
 *
 * @param path where, such as {@code days}, {@code items[2].name}; empty for the whole value
 * @param message what was expected, such as {@code must be an integer but was a string}
 */
public record JsonViolation(String path, String message) {
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + " " + message;
    }
}
