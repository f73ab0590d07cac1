package dev.fairlead.showcase;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

/**
 * The tools of the conformance suite that ask the client: for a sample, or a person for an answer.
 */
final class ConformanceQuestions {
    private ConformanceQuestions() {}

    record Prompt(String prompt) {}

    record Message(String message) {}

    static void declare(Features<?> features) {
        features.tool("test_sampling", "Asks the client's model", Prompt.class, String.class)
                .handle(
                        (input, call) ->
                                "LLM response: " + call.sample(input.prompt(), 100).text());
        features.tool("test_elicitation", "Asks the user", Message.class, String.class)
                .handle((input, call) -> ask(call, input.message(), USER));
        features.tool(
                        "test_elicitation_sep1034_defaults",
                        "Asks the user and proposes the answers",
                        NoInput.class,
                        String.class)
                .handle((none, call) -> ask(call, "Please review these values", DEFAULTS));
        features.tool(
                        "test_elicitation_sep1330_enums",
                        "Asks the user to choose, in each way there is",
                        NoInput.class,
                        String.class)
                .handle((none, call) -> ask(call, "Please choose", ENUMS));
    }

    private static String ask(Call call, String message, JsonSchema schema)
            throws InterruptedException {
        ElicitResult answer = call.elicit(new ElicitFormRequest(message, schema.json()));
        return "User response: " + ELICIT.toValue(answer).toJson();
    }

    private static final JsonCodec<ElicitResult> ELICIT = JsonCodec.of(ElicitResult.class);

    private static final JsonSchema USER =
            JsonSchema.parse(
                    """
                    {
                      "type": "object",
                      "properties": {
                        "username": {"type": "string", "description": "User's response"},
                        "email": {"type": "string", "description": "User's email address"}
                      },
                      "required": ["username", "email"]
                    }\
                    """);

    private static final JsonSchema DEFAULTS =
            JsonSchema.parse(
                    """
                    {
                      "type": "object",
                      "properties": {
                        "name": {"type": "string", "default": "John Doe"},
                        "age": {"type": "integer", "default": 30},
                        "score": {"type": "number", "default": 95.5},
                        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                        "verified": {"type": "boolean", "default": true}
                      }
                    }\
                    """);

    private static final JsonSchema ENUMS =
            JsonSchema.parse(
                    """
                    {
                      "type": "object",
                      "properties": {
                        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
                        "titledSingle": {"type": "string", "oneOf": [
                          {"const": "value1", "title": "First Option"},
                          {"const": "value2", "title": "Second Option"},
                          {"const": "value3", "title": "Third Option"}]},
                        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                          "enumNames": ["Option One", "Option Two", "Option Three"]},
                        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
                        "titledMulti": {"type": "array", "items": {"anyOf": [
                          {"const": "value1", "title": "First Choice"},
                          {"const": "value2", "title": "Second Choice"},
                          {"const": "value3", "title": "Third Choice"}]}}
                      }
                    }\
                    """);
}
