package dev.fairlead.examples;

import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

@EachEra
class TravelTest {
    @Parameter private Revision revision;

    private static final String FLIGHT = "FL2";

    private HttpServer service;
    private McpServer server;

    @BeforeEach
    void start() throws IOException {
        service = Travel.service();
        server = new Travel(Travel.uri(service)).server;
    }

    @AfterEach
    void stop() {
        server.close();
        service.stop(0);
    }

    private McpClient.Builder client() {
        return McpClient.named("test", "1").revisions(revision, revision);
    }

    private static CallToolResult book(McpClient client, String id) throws InterruptedException {
        return client.callTool("book_flight", JsonObject.of("id", id));
    }

    @Test
    void flightsAreFoundByTheWebServiceAndLinked() throws Exception {
        try (McpClient client = client().connect(server.inProcess())) {
            CallToolResult result =
                    client.callTool("search_flights", JsonObject.of("from", "ZRH", "to", "LIS"));

            List<String> links =
                    result.content().stream()
                            .filter(ResourceLink.class::isInstance)
                            .map(link -> ((ResourceLink) link).uri())
                            .toList();
            assertThat(links).containsExactly("flight://FL1", "flight://FL2");
            assertThat(client.readResource(links.getLast()).text())
                    .isEqualTo(
                            """
                            {"id":"FL2","from":"ZRH","to":"LIS","departs":"2027-03-01T12:10","euros":89}\
                            """);
        }
    }

    @Test
    void anAcceptedBookingAppearsInTheCalendar() throws Exception {
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        try (McpClient client =
                        client().onElicitForm(
                                        form -> {
                                            asked.add(form.message());
                                            return Answer.accept(Map.of("name", "Ada Byron"));
                                        })
                                .connect(server.inProcess());
                var watch = client.watch("calendar://trips", updated::add)) {
            String trip = "2027-03-01T12:10 FL2 Ada Byron";

            assertThat(book(client, FLIGHT).text()).isEqualTo("Booked: " + trip);

            assertThat(asked).containsExactly("Book flight FL2 for 89 euros?");
            assertThat(next(updated)).isEqualTo(watch.uri());
            assertThat(client.readResource("calendar://trips").text()).isEqualTo(trip);
        }
    }

    @Test
    void nothingIsBookedWithoutConsent() throws Exception {
        try (McpClient client =
                client().onElicitForm(form -> Answer.decline()).connect(server.inProcess())) {
            assertThat(book(client, FLIGHT).isError()).isTrue();
            assertThat(book(client, FLIGHT).text()).isEqualTo("The user declined to answer");
            assertThat(client.readResource("calendar://trips").text()).isEmpty();
        }
    }

    @Test
    void nothingIsBookedByAClientThatCannotAsk() throws Exception {
        try (McpClient client = client().connect(server.inProcess())) {
            switch (revision.era()) {
                case HANDSHAKE -> assertThat(book(client, FLIGHT).isError()).isTrue();
                case PER_REQUEST ->
                        assertThatThrownBy(() -> book(client, FLIGHT))
                                .isInstanceOfSatisfying(
                                        JsonRpcException.class,
                                        e ->
                                                assertThat(e.code())
                                                        .isEqualTo(
                                                                McpErrorCode
                                                                        .MISSING_CLIENT_CAPABILITY));
            }
            assertThat(client.readResource("calendar://trips").text()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"FL999", "", "../", "FL2?x=FL1"})
    void thereAreNoOtherFlights(String id) throws Exception {
        try (McpClient client = client().connect(server.inProcess())) {
            assertThat(book(client, id).isError()).isTrue();
            assertThatThrownBy(() -> client.readResource("flight://" + id))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Resource not found");
        }
    }

    @Test
    void aServiceThatIsDownIsAFailureWithoutDetails() throws Exception {
        service.stop(0);
        try (McpClient client = client().connect(server.inProcess())) {
            assertThat(book(client, FLIGHT).text()).startsWith("Internal error, reference ");
        }
    }

    @Test
    void thePromptPointsToTheCalendar() throws Exception {
        try (McpClient client = client().connect(server.inProcess())) {
            List<PromptMessage> messages =
                    client.getPrompt("plan_vacation", Map.of("destination", "Lisbon")).messages();

            assertThat(messages.getFirst().content().toString()).contains("7 days in Lisbon");
            assertThat(((ResourceLink) messages.getLast().content()).uri())
                    .isEqualTo("calendar://trips");
        }
    }
}
