package dev.fairlead.browser;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A Spring Authorization Server in this JVM, with some people and two clients: the tokens of {@link
 * #DESK} last for minutes; those of {@link #BRIEF} are about to end from the start, so that each
 * request refreshes them.
 */
final class SpringIssuer implements AutoCloseable {
    static final String DESK = "desk";
    static final String BRIEF = "brief";

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofSeconds(20);

    private final ConfigurableApplicationContext context;

    /** The settings that a test changes while the server runs. */
    static final class Controls {
        final RotatingKeys keys = new RotatingKeys();

        /** How far its clock is ahead. */
        volatile Duration ahead = Duration.ZERO;

        /** How many access tokens were issued. */
        final AtomicInteger issued = new AtomicInteger();
    }

    SpringIssuer() {
        context =
                new SpringApplicationBuilder(Application.class)
                        .properties(
                                "server.address=127.0.0.1",
                                "server.port=0",
                                "spring.main.banner-mode=off",
                                "logging.level.root=warn")
                        .run();
    }

    String url() {
        return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    }

    Controls controls() {
        return context.getBean(Controls.class);
    }

    static String secretOf(String client) {
        return "the secret of " + client;
    }

    /** Revokes a token as its client may (RFC 7009). */
    void revoke(String client, String token) throws IOException, InterruptedException {
        String credentials =
                Stream.of(client, secretOf(client))
                        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
                        .reduce((id, secret) -> id + ":" + secret)
                        .orElseThrow();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + "/oauth2/revoke"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header(
                                "Authorization",
                                "Basic "
                                        + Base64.getEncoder()
                                                .encodeToString(credentials.getBytes()))
                        .POST(
                                BodyPublishers.ofString(
                                        "token="
                                                + URLEncoder.encode(token, StandardCharsets.UTF_8)))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            int status = http.send(request, BodyHandlers.discarding()).statusCode();
            if (status != 200) {
                throw new IOException("the token was not revoked: " + status);
            }
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /** The server. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Controls controls() {
            return new Controls();
        }

        @Bean
        JWKSource<SecurityContext> keys(Controls controls) {
            return controls.keys;
        }

        @Bean
        @Order(1)
        SecurityFilterChain endpoints(HttpSecurity http) throws Exception {
            http.oauth2AuthorizationServer(
                            server -> http.securityMatcher(server.getEndpointsMatcher()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .exceptionHandling(
                            failures ->
                                    failures.authenticationEntryPoint(
                                            new LoginUrlAuthenticationEntryPoint("/login")));
            return http.build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain login(HttpSecurity http) throws Exception {
            http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults());
            return http.build();
        }

        @Bean
        UserDetailsService people() {
            return new InMemoryUserDetailsManager(
                    Stream.of("ann", "bob", "cleo", "dora")
                            .map(
                                    name ->
                                            User.withUsername(name)
                                                    .password("{noop}" + Person.passwordOf(name))
                                                    .roles("USER")
                                                    .build())
                            .toList());
        }

        @Bean
        RegisteredClientRepository clients() {
            return new InMemoryRegisteredClientRepository(client(DESK, LONG), client(BRIEF, SHORT));
        }

        private static RegisteredClient client(String id, Duration lifetime) {
            return RegisteredClient.withId(id)
                    .clientId(id)
                    .clientSecret("{noop}" + secretOf(id))
                    .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                    .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                    .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
                    .redirectUri("http://127.0.0.1/callback") // with any port
                    .scope("reports:read")
                    .scope("reports:purge")
                    .clientSettings(
                            ClientSettings.builder()
                                    .requireProofKey(true)
                                    .requireAuthorizationConsent(true)
                                    .build())
                    .tokenSettings(
                            TokenSettings.builder()
                                    .accessTokenTimeToLive(lifetime)
                                    .reuseRefreshTokens(false)
                                    .build())
                    .build();
        }

        /** Adds the audience of a token (RFC 8707), which Spring leaves to its users. */
        @Bean
        OAuth2TokenCustomizer<JwtEncodingContext> tokens(Controls controls) {
            return token -> {
                controls.issued.incrementAndGet();
                token.getJwsHeader()
                        .algorithm(SignatureAlgorithm.ES256)
                        .type("at+jwt")
                        .keyId(controls.keys.current());
                Instant now = Instant.now().plus(controls.ahead);
                Duration lifetime =
                        token.getRegisteredClient().getTokenSettings().getAccessTokenTimeToLive();
                token.getClaims()
                        .audience(List.of(resource(token)))
                        .claim("client_id", token.getRegisteredClient().getClientId())
                        .issuedAt(now)
                        .notBefore(now)
                        .expiresAt(now.plus(lifetime));
            };
        }

        private static String resource(JwtEncodingContext token) {
            OAuth2AuthorizationRequest request =
                    Objects.requireNonNull(token.getAuthorization())
                            .getAttribute(OAuth2AuthorizationRequest.class.getName());
            return (String)
                    Objects.requireNonNull(request).getAdditionalParameters().get("resource");
        }
    }
}
