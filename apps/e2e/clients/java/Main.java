import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.ContractApi;
import org.openapitools.client.api.TeamApi;
import org.openapitools.client.api.UserApi;
import org.openapitools.client.model.CreateTeamFields;
import org.openapitools.client.model.EmailsInput;
import org.openapitools.client.model.QuotaInput;

/** Walks the API with the client that openapi-generator makes of the document. Prints what it got as one JSON object. */
public final class Main {
  public static void main(String[] args) throws Exception {
    String organization = args[2];
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    client.setBearerToken(args[1]);
    try {
      JsonObject walked = walk(client, organization, Long.parseLong(args[3]));
      System.out.println(walked);
    } catch (ApiException refused) {
      System.err.println(refused.getResponseBody());
      throw refused;
    }
    // Connections that are kept open keep the process.
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
  }

  private static JsonObject walk(ApiClient client, String organization, long end) throws Exception {
    JsonObject walked = new JsonObject();
    add(walked, "user", new UserApi(client).getUser());

    TeamApi teams = new TeamApi(client);
    CreateTeamFields fields = new CreateTeamFields()
        .name("By java").type(CreateTeamFields.TypeEnum.KUBERNETES).permission(CreateTeamFields.PermissionEnum.READ);
    add(walked, "team", teams.createTeam(organization, fields, null));

    Path document = Files.writeString(Path.of("contract.pdf"), "%PDF by java");
    EmailsInput emails = new EmailsInput().contactPerson(List.of("ada@example.org", "bob@example.org"));
    QuotaInput quota = new QuotaInput()
        .enabled(true).metric(QuotaInput.MetricEnum.CLUSTERS).limit(5.0).alertThresholds(List.of(80, 100));
    add(walked, "contracts", new ContractApi(client).createContracts(
        "By java", List.of("productdb"), end, null, null, null, organization,
        // One value: a list of several is sent as a whole for each of its values (docs/clients.md).
        List.of("productdb-enterprise"), null, emails, null, null, null, null, null, null, quota, null, null,
        null, null, null, null, null, null, null, null, null, document.toFile()));

    add(walked, "teams", teams.listTeams(organization, 4L, 1L, null));
    return walked;
  }

  private static void add(JsonObject walked, String name, Object answer) {
    walked.add(name, JSON.getGson().toJsonTree(answer));
  }
}
