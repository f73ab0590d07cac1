package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.showcase.Showcase;
import dev.fairlead.showcase.tour.Tour;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * People fill in the form of every schema there is: of the tour, of the fixtures, of the npm
 * package server-everything, and of all kinds of fields. A server with the same schemas checks the
 * arguments and returns them.
 */
class FormsTest extends BrowserTest {
    private static final String SENT = "sent ";

    private final Set<String> shapes = new HashSet<>();
    private final Map<String, JsonObject> schemas = new LinkedHashMap<>();
    private final Map<String, JsonObject> kinds = Recorded.schemas("kinds.json");

    FormsTest() throws Exception {
        for (McpServer server :
                List.of(
                        Tour.server("1", Tasks.inMemory(), builder -> builder),
                        Showcase.server())) {
            try (server;
                    McpClient client = McpClient.named("forms", "1").connect(server.inProcess())) {
                client.tools().forEach(tool -> add(tool.name(), tool.inputSchema()));
            }
        }
        Recorded.schemas("server-everything.json").forEach(this::add);
        kinds.forEach(this::add);
    }

    /** Adds a schema, unless another differs from it in names and descriptions alone. */
    private void add(String name, JsonObject schema) {
        String shape = schema.toJson().replaceAll("\"description\":\"[^\"]*\"", "");
        for (String member : properties(schema).names()) {
            shape = shape.replace("\"" + member + "\"", "\"\"");
        }
        if (!properties(schema).isEmpty() && shapes.add(shape)) {
            schemas.put(name, schema);
        }
    }

    private static JsonObject properties(JsonObject schema) {
        return schema.get("properties") instanceof JsonObject properties
                ? properties
                : JsonObject.EMPTY;
    }

    private McpServer mirror() {
        McpServer.Builder builder = McpServer.named("mirror", "1");
        schemas.forEach(
                (name, schema) ->
                        builder.tool(new Tool(name, schema).withDescription("Returns its input"))
                                .handle(
                                        (request, call) ->
                                                CallToolResult.text(
                                                        SENT + request.arguments().toJson())));
        return builder.build();
    }

    @Test
    void everySchemaHasAForm() throws Exception {
        assertThat(schemas).hasSizeGreaterThan(25);
        List<String> refusals = new ArrayList<>();
        try (TriedServer tried = new TriedServer(mirror());
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(
                    tried.address(),
                    page -> {
                        for (Map.Entry<String, JsonObject> tool : schemas.entrySet()) {
                            refusals.addAll(emptyForm(page, tool.getKey(), tool.getValue()));
                            filledForm(page, tool.getKey(), tool.getValue());
                            if (tool.getKey().equals("numbers")) { // its "above" is not 0
                                page.getByText("more than 0").waitFor();
                            }
                            if (kinds.containsKey(tool.getKey())) {
                                Accessibility.check(page, "form-" + tool.getKey());
                            }
                        }
                    });
            assertThat(person.complaints).isEmpty();
        }
        assertThat(refusals).hasSizeGreaterThan(15);
    }

    /** Calls the tool at once; a member that is missing has a message of the server. */
    private static List<String> emptyForm(Page page, String tool, JsonObject schema) {
        page.locator(".things button:has(strong:text-is('" + tool + "'))").click();
        page.locator("h2:text-is('" + tool + "')").waitFor();
        assertThat(page.locator(".fields [id='f-'], .fields [id*=undefined]").count()).isZero();
        List<String> missing = missing(schema);
        if (missing.isEmpty()) {
            return missing;
        }
        call(page);
        for (String name : missing) {
            Locator field =
                    page.locator(".argument.bad")
                            .filter(
                                    new Locator.FilterOptions()
                                            .setHas(page.locator(FormFiller.id(name))));
            assertThat(field.locator(".wrong[role=alert]").count())
                    .as("message at %s of %s: %s", name, tool, page.locator(".outcome").innerText())
                    .isOne();
        }
        return missing;
    }

    /** The required members that an empty form does not send. */
    private static List<String> missing(JsonObject schema) {
        List<String> names = new ArrayList<>();
        JsonArray required =
                schema.get("required") instanceof JsonArray array
                        ? array
                        : new JsonArray(List.of());
        for (JsonValue name : required) {
            String text = ((JsonString) name).value();
            JsonObject member = properties(schema).object(text);
            FormFiller.Kind kind = FormFiller.Kind.of(member);
            boolean isEmpty =
                    kind == FormFiller.Kind.TEXT
                            || kind == FormFiller.Kind.NUMBER
                            || kind == FormFiller.Kind.CHOICE;
            if (isEmpty && !member.has("default") && !member.has("$ref")) {
                names.add(text);
            }
        }
        return names;
    }

    private static void filledForm(Page page, String tool, JsonObject schema) {
        JsonObject expected = new FormFiller(page.locator(".detail"), schema).fill();
        call(page);
        String sent = page.locator(".outcome").innerText();
        assertThat(page.locator(".outcome .badge.good").count())
                .as("%s sends what fits its schema: %s", tool, sent)
                .isOne();
        assertThat(
                        JsonValue.parse(
                                page.locator(".outcome pre:not(.frames pre)")
                                        .innerText()
                                        .substring(SENT.length())))
                .as("arguments of %s", tool)
                .isEqualTo(expected);
    }

    /** Calls the tool, and waits until the call has ended. */
    private static void call(Page page) {
        page.locator(".detail .run .primary").click();
        page.locator(".detail .run .danger")
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.HIDDEN));
        page.locator(".outcome .badge:not(.busy)").first().waitFor();
    }
}
