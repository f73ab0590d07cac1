package dev.fairlead.client.group;

import static dev.fairlead.client.group.GroupTest.begun;
import static dev.fairlead.client.group.GroupTest.desk;
import static dev.fairlead.client.group.GroupTest.resources;
import static dev.fairlead.client.group.GroupTest.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.FakeServer;
import dev.fairlead.client.McpRequests;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Resources of a group, and the server that gets a request for one. */
@Timeout(60)
class GroupResourcesTest {
    @Test
    @Requirement("N26-BASE-018")
    void resourcesGoToTheServerThatListsThemOrHasATemplateOrKnowsThem() throws Exception {
        FakeServer first =
                resources("first", "{\"uri\": \"a://one\", \"name\": \"one\"}", "a://items/{id}");
        FakeServer second =
                resources("second", "{\"uri\": \"a://one\", \"name\": \"other\"}", "b://{+path}");
        first.on(
                "resources/read",
                params ->
                        params.string("uri").equals("c://hidden")
                                ? "error:{\"code\": -32002, \"message\": \"Resource not found\"}"
                                : text("first"));
        try (McpClients servers =
                desk().server("first", first).server("second", second).connect()) {
            assertThat(servers.serverOfResource("a://one")).contains("first");
            assertThat(servers.serverOfResource("b://x/y")).contains("second");
            assertThat(servers.serverOfResource("c://none")).isEmpty();
            assertThat(servers.resources())
                    .singleElement()
                    .extracting(GroupItem::server)
                    .isEqualTo("first");
            assertThat(servers.readResource("a://one").text()).isEqualTo("first");
            assertThat(servers.readResource("a://items/7").text()).isEqualTo("first");
            assertThat(servers.readResource("b://x/y").text()).isEqualTo("second");
            assertThat(servers.readResource("c://hidden").text()).isEqualTo("second");
            assertThat(
                            servers.complete(
                                            new ResourceTemplateReference("b://{+path}"),
                                            "path",
                                            "")
                                    .completion()
                                    .values())
                    .containsExactly("second");
        }
    }

    @Test
    void aServerThatGivesNoAnswerDoesNotDecideWhetherAResourceIsThere() throws Exception {
        FakeServer first = resources("first", "{\"uri\": \"a://1\", \"name\": \"1\"}", "a://{x}");
        FakeServer second = resources("second", "{\"uri\": \"b://1\", \"name\": \"1\"}", "b://{x}");
        FakeServer third = resources("third", "{\"uri\": \"c://1\", \"name\": \"1\"}", "c://{x}");
        first.keep("resources/read");
        second.on("resources/read", "{\"contents\": 7}");
        ManualTimers timers = new ManualTimers();
        try (McpClients servers =
                desk().server("first", first)
                        .server("second", second)
                        .server("third", third)
                        .connect(timers)) {
            McpRequests hasty = servers.withTimeout(Duration.ofMillis(100));
            FutureTask<String> reading = begun(() -> hasty.readResource("x://y").text());
            first.next("resources/read"); // its timer was set before it was sent
            timers.advance(Duration.ofMillis(100));
            assertThat(reading.get(30, TimeUnit.SECONDS)).isEqualTo("third");
        }
    }

    @Test
    void theMostSpecificErrorIsReportedForAnUnknownResource() throws Exception {
        FakeServer first = resources("first", "{\"uri\": \"a://1\", \"name\": \"1\"}", "a://{x}");
        FakeServer second = resources("second", "{\"uri\": \"b://1\", \"name\": \"1\"}", "b://{x}");
        first.on("resources/read", "error:{\"code\": -32603, \"message\": \"The disk is full\"}");
        second.on("resources/read", "error:{\"code\": -32002, \"message\": \"Not found\"}");
        try (McpClients servers =
                desk().server("first", first).server("second", second).connect()) {
            assertThatThrownBy(() -> servers.readResource("x://y")).hasMessage("The disk is full");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 200_000})
    void aTemplateThatCannotBeReadHarmsNoOtherServer(int segments) throws Exception {
        String template = "x:{a" + ".a".repeat(segments) + "}";
        FakeServer hostile = resources("hostile", "", template);
        FakeServer other = resources("other", "", "b://{x}");
        try (McpClients servers =
                desk().server("hostile", hostile).server("other", other).connect()) {
            assertThat(servers.resourceTemplates())
                    .extracting(GroupItem::name)
                    .containsExactly(template, "b://{x}");
            assertThat(servers.readResource("b://1").text()).isEqualTo("other");
        }
    }

    @Test
    void aUriIsMatchedWithTheFirstTemplatesOfEachServer() {
        List<GroupItem<ResourceTemplate>> templates = new ArrayList<>();
        for (String server : List.of("a", "b")) {
            for (int i = 0; i <= Routes.MAX_TEMPLATES; i++) {
                String uri = "%s://%s/{x}".formatted(server, i);
                templates.add(template(server, uri));
            }
        }
        Routes routes = new Routes(List.of(), templates);

        assertThat(routes.serverOf("a://999/1")).contains("a");
        assertThat(routes.serverOf("a://1000/1")).isEmpty();
        assertThat(routes.serverOf("b://999/1")).contains("b");
        assertThat(routes.serverOfTemplate("a://1000/{x}")).contains("a");
    }

    @Test
    void aUriIsMatchedWithTheVariablesOfEachServer() {
        String hundred =
                IntStream.range(0, 100)
                        .mapToObj(i -> "{x" + i + "}")
                        .collect(Collectors.joining("/"));
        List<GroupItem<ResourceTemplate>> templates = new ArrayList<>();
        for (String server : List.of("a", "b")) {
            for (int i = 0; i < Routes.MAX_VARIABLES / 100; i++) {
                templates.add(template(server, "%s://%s/%s".formatted(server, i, hundred)));
            }
        }
        templates.add(template("a", "a://one/{x}")); // more than the maximum
        Routes routes = new Routes(List.of(), templates);

        String values = "/v".repeat(100);
        assertThat(routes.serverOf("a://0" + values)).contains("a");
        assertThat(routes.serverOf("a://39" + values)).contains("a");
        assertThat(routes.serverOf("b://39" + values)).contains("b");
        assertThat(routes.serverOf("a://one/v")).isEmpty();
        assertThat(routes.serverOfTemplate("a://one/{x}")).contains("a");
    }

    private static GroupItem<ResourceTemplate> template(String server, String uri) {
        return new GroupItem<>(server, uri, new ResourceTemplate(uri, uri));
    }
}
