package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Questions to the person. */
final class ElicitationTest extends ClosingTest {
    private static final String NAME_FORM =
            """
            {"message": "Who?", "requestedSchema": {"type": "object", "required": ["name"], "properties": {
              "name": {"type": "string", "minLength": 2}, "age": {"type": "integer"}}}}\
            """;

    private final FakeServer server = new FakeServer();

    private McpClient connect(McpClient.Builder builder) throws Exception {
        McpClient client = builder.connect(server);
        return closedLater(client);
    }

    private void answering(ElicitFormHandler handler) throws Exception {
        connect(McpClient.named("desk", "1").onElicitForm(handler));
    }

    private JsonObject elicit(String params) throws InterruptedException {
        server.ask(1, "elicitation/create", params);
        return server.response(1);
    }

    private void assertResult(String params, String result) throws InterruptedException {
        assertThat(elicit(params).get("result")).isEqualTo(json(result));
    }

    private void assertError(String params, int code, String message) throws InterruptedException {
        assertThat(elicit(params).get("error"))
                .isEqualTo(JsonObject.of("code", code, "message", message));
    }

    record Person(String name, int age) {}

    @Test
    @Requirement({"ELIC-005", "ELIC-006", "ELIC-013", "ELIC-019", "N26-ELIC-013"})
    void aFormIsShownWithItsServerAndAnsweredByARecord() throws Exception {
        List<ElicitForm> forms = new ArrayList<>();
        answering(
                form -> {
                    forms.add(form);
                    return Answer.accept(new Person("Ada", 36));
                });
        assertResult(
                NAME_FORM,
                "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\", \"age\": 36}}");
        assertThat(forms.get(0).message()).isEqualTo("Who?");
        assertThat(forms.get(0).server().name()).isEqualTo("fake");
        assertThat(forms.get(0).schema().object("properties").names())
                .containsExactly("name", "age");
    }

    @Test
    @Requirement("ELIC-013")
    void aMapAndAJsonObjectAreAnswersToo() throws Exception {
        List<Answer<?>> answers =
                new ArrayList<>(
                        List.of(
                                Answer.accept(Map.of("name", "Ada")),
                                Answer.accept(JsonObject.of("name", "Eve"))));
        answering(form -> answers.remove(0));
        assertResult(NAME_FORM, "{\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}");
        assertResult(NAME_FORM, "{\"action\": \"accept\", \"content\": {\"name\": \"Eve\"}}");
    }

    @Test
    @Requirement({"ELIC-013", "ELIC-020", "N26-ELIC-013"})
    void declineAndCancelHaveNoContent() throws Exception {
        List<Answer<?>> answers = new ArrayList<>(List.of(Answer.decline(), Answer.cancel()));
        answering(form -> answers.remove(0));
        assertResult(NAME_FORM, "{\"action\": \"decline\"}");
        assertResult(NAME_FORM, "{\"action\": \"cancel\"}");
    }

    @Test
    @Requirement({"ELIC-010", "ELIC-011", "ELIC-012", "N26-ELIC-004"})
    void fieldsThatTheAnswerLeavesOutGetTheirDefaults() throws Exception {
        answering(form -> Answer.accept(JsonObject.of("age", 7)));
        assertResult(
                """
                {"mode": "form", "message": "All", "requestedSchema": {"type": "object", "required": ["name"], "properties": {
                  "name": {"type": "string", "default": "John"}, "age": {"type": "integer", "default": 30},
                  "score": {"type": "number", "default": 95.5}, "verified": {"type": "boolean", "default": true},
                  "status": {"type": "string", "enum": ["active", "idle"], "default": "active"},
                  "colours": {"type": "array", "items": {"type": "string", "enum": ["r", "g"]}, "default": ["g"]},
                  "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}], "default": "s"},
                  "note": {"type": "string"}}}}\
                """,
                """
                {"action": "accept", "content": {"age": 7, "name": "John", "score": 95.5, "verified": true,
                 "status": "active", "colours": ["g"], "size": "s"}}\
                """);
    }

    @Test
    @Requirement({"ELIC-015", "ROOM-070", "ROOM-071"})
    void anAnswerThatDoesNotFitTheFormIsNotSent() throws Exception {
        List<JsonObject> answers =
                new ArrayList<>(
                        List.of(
                                JsonObject.EMPTY,
                                JsonObject.of("name", "x"),
                                JsonObject.of("name", 3),
                                JsonObject.of("name", "Ada", "secret", "s")));
        answering(form -> Answer.accept(answers.remove(0)));
        for (int i = 0; i < 4; i++) {
            assertError(NAME_FORM, -32603, "The client has no answer that fits the form");
        }
    }

    @ParameterizedTest
    @Requirement("ELIC-009")
    @ValueSource(
            strings = {
                "{\"type\": \"string\"}",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"object\","
                        + " \"properties\": {}}}}",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"array\", \"items\":"
                        + " {\"type\": \"object\"}}}}",
                "{\"type\": \"object\", \"properties\": {\"a\": {\"$ref\": \"#/x\"}}}"
            })
    void aSchemaThatIsNotFlatIsRefused(String schema) throws Exception {
        answering(form -> Answer.decline());
        JsonObject error =
                elicit("{\"message\": \"m\", \"requestedSchema\": %s}".formatted(schema))
                        .object("error");
        assertThat(error.get("code")).isEqualTo(JsonValue.of(-32602));
    }

    @Test
    @Requirement("ROOM-081")
    void aFieldThatCannotBeCheckedTakesAnyValueAndTheOthersAreChecked() throws Exception {
        List<JsonObject> answers =
                new ArrayList<>(List.of(json("{\"a\": \"x\", \"n\": 1}"), json("{\"n\": \"x\"}")));
        answering(form -> Answer.accept(answers.remove(0)));
        String form =
                """
                {"message": "m", "requestedSchema": {"type": "object", "properties":
                 {"a": {"type": "colour"}, "n": {"type": "integer"}}}}\
                """;
        assertResult(form, "{\"action\": \"accept\", \"content\": {\"a\": \"x\", \"n\": 1}}");
        assertError(form, -32603, "The client has no answer that fits the form");
    }

    @Test
    @Requirement("ROOM-081")
    void theAnswerToAFormThatRequiresAFieldTwiceIsSent() throws Exception {
        answering(form -> Answer.accept(json("{\"a\": \"x\"}")));
        assertResult(
                """
                {"message": "m", "requestedSchema": {"type": "object", "required": ["a", "a"],
                 "properties": {"a": {"type": "string"}}}}\
                """,
                "{\"action\": \"accept\", \"content\": {\"a\": \"x\"}}");
    }

    @Test
    void aFormWithNullsInThePlaceOfAbsentMembersIsShownAndChecked() throws Exception {
        List<JsonObject> answers = new ArrayList<>(List.of(JsonObject.EMPTY, json("{\"s\": 1}")));
        answering(
                form -> {
                    assertThat(form.schema().toJson()).doesNotContain("null");
                    assertThat(form.fields()).allMatch(field -> field.defaultValue().isEmpty());
                    return Answer.accept(answers.remove(0));
                });
        String form =
                """
                {"message": "m", "requestedSchema": {"$schema": null, "type": "object", "required": null, "properties": {
                  "s": {"type": "string", "enum": null, "oneOf": null, "$ref": null, "default": null},
                  "c": {"type": "array", "items": {"type": "string", "enum": ["a"], "anyOf": null}, "minItems": null}}}}\
                """;
        assertResult(form, "{\"action\": \"accept\", \"content\": {}}");
        assertError(form, -32603, "The client has no answer that fits the form");
    }

    @Test
    @Requirement({"JSON-006", "ROOM-081"})
    void aFormOfAnUnknownDialectIsShown() throws Exception {
        answering(form -> Answer.accept(json("{\"a\": \"x\"}")));
        assertResult(
                """
                {"message": "m", "requestedSchema": {"$schema": "https://example.com/own", "type": "object",
                 "properties": {"a": {"type": "string"}}}}\
                """,
                "{\"action\": \"accept\", \"content\": {\"a\": \"x\"}}");
    }

    @Test
    @Requirement({"ELIC-004", "ERR-018"})
    void aModeThatWasNotDeclaredIsRefused() throws Exception {
        answering(form -> Answer.decline());
        assertError(
                "{\"mode\": \"url\", \"message\": \"m\", \"url\": \"https://a.example\","
                        + " \"elicitationId\": \"e\"}",
                -32602,
                "This client did not declare the elicitation mode url");
        closeAll();
        connect(McpClient.named("desk", "1").onElicitUrl(link -> Answer.decline()));
        assertError(NAME_FORM, -32602, "This client did not declare the elicitation mode form");
    }

    @Test
    @Requirement({"ERR-005", "VERS-012"})
    void withoutTheCapabilityOrItsRevisionTheMethodIsUnknown() throws Exception {
        connect(McpClient.named("desk", "1"));
        assertError(NAME_FORM, -32601, "Method not found: elicitation/create");
        closeAll();
        server.greet("2025-03-26", "{}");
        answering(form -> Answer.decline());
        assertError(NAME_FORM, -32601, "Method not found: elicitation/create");
    }

    @Test
    @Requirement("ERR-009")
    void malformedParametersAreInvalid() throws Exception {
        answering(form -> Answer.decline());
        assertThat(elicit("{\"message\": 3}").object("error").integer("code")).isEqualTo(-32602);
    }

    @Test
    @Requirement("ERR-027")
    void aHandlerThatFailsShowsNothingOfItself() throws Exception {
        answering(
                form -> {
                    throw new IllegalStateException("secret");
                });
        JsonObject error = elicit(NAME_FORM).object("error");
        assertThat(error.integer("code")).isEqualTo(-32603);
        assertThat(error.toJson()).doesNotContain("secret");
    }

    // ---- pages

    private static final String PAGE =
            """
            {"mode": "url", "message": "Sign in", "url": "https://xn--bcher-kva.example/login?a=%C3%A9#top", "elicitationId": "e-1"}\
            """;

    @Test
    @Requirement({
        "ELIC-008",
        "ELIC-013",
        "ELIC-019",
        "ELIC-022",
        "ELIC-046",
        "ELIC-047",
        "ELIC-048",
        "N26-ELIC-012"
    })
    void aPageIsShownWithItsWholeUrlAndConsentHasNoContent() throws Exception {
        List<ElicitUrl> links = new ArrayList<>();
        connect(
                McpClient.named("desk", "1")
                        .onElicitUrl(
                                link -> {
                                    links.add(link);
                                    return Answer.accept();
                                }));
        assertResult(PAGE, "{\"action\": \"accept\"}");
        ElicitUrl link = links.get(0);
        assertThat(link.url()).hasToString("https://xn--bcher-kva.example/login?a=%C3%A9#top");
        assertThat(link.host()).isEqualTo("xn--bcher-kva.example");
        assertThat(link.isPunycode()).isTrue();
        assertThat(link.server().name()).isEqualTo("fake");
        assertThat(link.message()).isEqualTo("Sign in");
    }

    @ParameterizedTest
    @Requirement({"SEC-013", "ELIC-008"})
    @ValueSource(
            strings = {
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/html,x",
                "ftp://a.example/x",
                "https:///nohost",
                "https://user:secret@a.example/",
                "/relative",
                "not a url"
            })
    void aUrlThatNoBrowserShouldOpenIsRefused(String url) throws Exception {
        connect(McpClient.named("desk", "1").onElicitUrl(link -> Answer.accept()));
        JsonObject error =
                elicit(
                                "{\"mode\": \"url\", \"message\": \"m\", \"url\": \"%s\", \"elicitationId\": \"e\"}"
                                        .formatted(url))
                        .object("error");
        assertThat(error.integer("code")).isEqualTo(-32602);
    }

    @Test
    @Requirement({"ELIC-023", "ELIC-025"})
    void aReportOfAnUnknownOrCompletedPageIsIgnored() throws Exception {
        List<String> completed = new ArrayList<>();
        CountDownLatch end = new CountDownLatch(1);
        connect(
                McpClient.named("desk", "1")
                        .onElicitUrl(link -> Answer.accept())
                        .onElicitationComplete(
                                id -> {
                                    completed.add(id);
                                    if (id.equals("end")) {
                                        end.countDown();
                                    }
                                }));
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": \"never\"}");
        elicit(PAGE);
        elicit(PAGE.replace("e-1", "end"));
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": \"e-1\"}");
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": \"e-1\"}");
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": 5}");
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": \"end\"}");
        assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(completed).containsExactly("e-1", "end");
    }

    @Test
    @Requirement("ELIC-025")
    void aReportThatOvertakesTheConsentCounts() throws Exception {
        CountDownLatch reported = new CountDownLatch(1);
        CountDownLatch completed = new CountDownLatch(1);
        connect(
                McpClient.named("desk", "1")
                        .onElicitUrl(
                                link -> {
                                    reported.await();
                                    return Answer.accept();
                                })
                        .onNotification("com.example/after", params -> reported.countDown())
                        .onElicitationComplete(id -> completed.countDown()));
        server.notifyClient("notifications/elicitation/complete", "{\"elicitationId\": \"e-1\"}");
        server.notifyClient("com.example/after", "{}"); // notifications are delivered in order
        elicit(PAGE);
        assertThat(completed.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
