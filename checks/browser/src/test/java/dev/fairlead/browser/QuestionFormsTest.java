package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * People answer forms of a server with each kind of field that the revisions have. The server
 * returns the answer.
 */
class QuestionFormsTest extends BrowserTest {
    private static final String SENT = "sent ";

    private static final Map<String, JsonObject> FORMS = new LinkedHashMap<>();

    @BeforeAll
    static void begin() throws Exception {
        Recorded.schemas("questions.json").forEach(FORMS::put);
    }

    private static McpServer asking() {
        McpServer.Builder builder = McpServer.named("asking", "1");
        FORMS.forEach(
                (name, form) ->
                        builder.tool(name, "Asks", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            ElicitResult answer =
                                                    call.elicit(
                                                            new ElicitFormRequest("Please", form));
                                            return SENT
                                                    + (answer.content() == null
                                                            ? answer.action()
                                                            : answer.content().toJson());
                                        }));
        return builder.build();
    }

    /** The use of a page on which the server is tried. */
    private static void open(Revision revision, ConsolePage.Use use) throws Exception {
        try (TriedServer tried = new TriedServer(asking(), revision);
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(tried.address(), use);
            assertThat(person.complaints).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    @Requirement({"ELIC-015", "ELIC-021"})
    void everyKindOfFieldIsAnswered(Revision revision) throws Exception {
        open(
                revision,
                page -> {
                    for (Map.Entry<String, JsonObject> form : FORMS.entrySet()) {
                        ask(page, form.getKey());
                        emptyAnswer(page, form.getKey(), form.getValue());
                        Locator question = page.locator(".question");
                        JsonObject expected = new FormFiller(question, form.getValue()).fill();
                        press(page, "Answer");
                        assertThat(answer(page))
                                .as("answer of %s", form.getKey())
                                .isEqualTo(expected.toJson());
                    }
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    @Requirement("ELIC-012")
    void defaultsAreThereAlready(Revision revision) throws Exception {
        JsonObject form = FORMS.get("defaults").object("properties");
        JsonObject defaults = JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> field : form.members().entrySet()) {
            JsonValue value = ((JsonObject) field.getValue()).get("default");
            defaults = defaults.with(field.getKey(), value);
        }
        String expected = defaults.toJson();
        open(
                revision,
                page -> {
                    ask(page, "defaults");
                    press(page, "Answer");
                    assertThat(answer(page)).isEqualTo(expected);
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    @Requirement("ELIC-020")
    void aFormIsDeclinedOrClosed(Revision revision) throws Exception {
        open(
                revision,
                page -> {
                    ask(page, "texts");
                    press(page, "Decline");
                    assertThat(answer(page)).isEqualTo("DECLINE");
                    ask(page, "texts");
                    press(page, "Close without an answer");
                    assertThat(answer(page)).isEqualTo("CANCEL");
                });
    }

    private static void ask(Page page, String tool) {
        page.locator(".things button:has(strong:text-is('" + tool + "'))").click();
        page.locator("h2:text-is('" + tool + "')").waitFor();
        page.locator(".detail .run .primary").click();
        page.locator(".question").waitFor();
    }

    private static void press(Page page, String button) {
        page.locator(".question button:text-is('" + button + "')").click();
    }

    /** Waits for the end of the call, and returns the answer as the server received it. */
    private static String answer(Page page) {
        page.locator(".outcome .badge.good").waitFor();
        assertThat(page.locator(".question").count()).isZero();
        return page.locator(".outcome pre:not(.frames pre)").innerText().substring(SENT.length());
    }

    /** Answers at once; a field without an answer that it needs has a message. */
    private static void emptyAnswer(Page page, String name, JsonObject form) {
        List<String> missing = missing(form);
        if (missing.isEmpty()) {
            return;
        }
        press(page, "Answer");
        page.locator(".question .wrong[role=alert]").first().waitFor();
        for (String field : missing) {
            Locator bad =
                    page.locator(
                            ".question .argument.bad:has("
                                    + FormFiller.id(field)
                                    + "), .question .group.bad[data-path='"
                                    + field
                                    + "']");
            assertThat(bad.locator(".wrong").count())
                    .as("message at %s of %s", field, name)
                    .isOne();
        }
    }

    /** The required fields that are empty at first, and may not be. */
    private static List<String> missing(JsonObject form) {
        List<String> names = new ArrayList<>();
        for (JsonValue name :
                form.get("required") instanceof JsonArray all ? all : JsonArray.of()) {
            String field = ((JsonString) name).value();
            JsonObject schema = form.object("properties").object(field);
            boolean isEmpty =
                    switch (FormFiller.Kind.of(schema)) {
                        case TEXT, NUMBER, CHOICE -> true;
                        case FLAGS -> schema.get("minItems") instanceof JsonNumber;
                        default -> false;
                    };
            if (isEmpty && !schema.has("default")) {
                names.add(field);
            }
        }
        return names;
    }
}
