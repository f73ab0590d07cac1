package dev.fairlead.protocol.elicitation;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.jsonrpc.CallException;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Reports that a person accepted a form whose values do not fit the schema. The handler decides
 * whether to ask again.
 */
public final class InvalidAnswerException extends CallException {
    private static final long serialVersionUID = 1;

    private final transient JsonObject content;
    private final transient List<JsonViolation> violations;

    /**
     * @param content the values as received
     * @param violations their violations of the schema
     */
    public InvalidAnswerException(JsonObject content, List<JsonViolation> violations) {
        super(
                "The answer does not fit the form: "
                        + violations.stream()
                                .map(JsonViolation::toString)
                                .collect(Collectors.joining("; ")),
                null);
        this.content = content;
        this.violations = List.copyOf(violations);
    }

    /** Returns the values as received. */
    public JsonObject content() {
        return content;
    }

    /** Returns the violations of the schema. */
    public List<JsonViolation> violations() {
        return violations;
    }
}
