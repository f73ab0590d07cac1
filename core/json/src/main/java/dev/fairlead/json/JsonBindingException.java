package dev.fairlead.json;

import java.util.List;
import java.util.stream.Collectors;

/** A JSON value does not fit the type it was to become. The message lists every violation found. */
public final class JsonBindingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<JsonViolation> violations;

    /** An exception for these violations, at least one. */
    public JsonBindingException(List<JsonViolation> violations) {
        super(violations.stream().map(JsonViolation::toString).collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    /** Returns the violations, at least one. */
    public List<JsonViolation> violations() {
        return violations;
    }
}
