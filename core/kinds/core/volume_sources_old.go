package core

import (
	"net"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"terrarium/core/kinds/check"
)

func (v *podValidator) iscsi(at *check.Path, s *corev1.ISCSIVolumeSource) {
	v.needs(at, "iscsi.targetPortal", s.TargetPortal)
	if s.IQN == "" {
		v.Required(at, "iscsi.iqn", "")
	} else {
		v.iscsiName(at, "iscsi.iqn", s.IQN)
	}
	if s.Lun < 0 || s.Lun > 255 {
		v.Invalid(at, "iscsi.lun", s.Lun, validation.InclusiveRangeError(0, 255))
	}
	if (s.DiscoveryCHAPAuth || s.SessionCHAPAuth) && s.SecretRef == nil {
		v.Required(at, "iscsi.secretRef", "")
	}
	if s.InitiatorName != nil {
		v.iscsiName(at, "iscsi.initiatorname", *s.InitiatorName)
	}
}

func (v *podValidator) iscsiName(at *check.Path, child, name string) {
	switch {
	case !strings.HasPrefix(name, "iqn") && !strings.HasPrefix(name, "eui") && !strings.HasPrefix(name, "naa"):
		v.Invalid(at, child, name, "must be valid format starting with iqn, eui, or naa")
	case !isISCSIName(name):
		v.Invalid(at, child, name, "must be valid format")
	}
}

// isISCSIName tells if a name is one of an iSCSI node: qualified (iqn), EUI-64 or NAA. The patterns are
// upstream's; they are compiled only for who still uses iSCSI.
func isISCSIName(name string) bool {
	pattern := ""
	switch {
	case strings.HasPrefix(name, "iqn"):
		pattern = `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`
	case strings.HasPrefix(name, "eui"):
		pattern = `^eui.[[:alnum:]]{16}$`
	case strings.HasPrefix(name, "naa"):
		pattern = `^naa.[[:alnum:]]{32}$`
	default:
		return false
	}
	ok, _ := regexp.MatchString(pattern, name)
	return ok
}

func (v *podValidator) quobyte(at *check.Path, s *corev1.QuobyteVolumeSource) {
	const detail = "must be a host:port pair or multiple pairs separated by commas"
	switch {
	case s.Registry == "":
		v.Required(at, "quobyte.registry", detail)
	case len(s.Tenant) >= 65:
		v.Required(at, "quobyte.tenant", "must be a UUID and may not exceed a length of 64 characters")
	default:
		for pair := range strings.SplitSeq(s.Registry, ",") {
			if _, _, err := net.SplitHostPort(pair); err != nil {
				v.Invalid(at, "quobyte.registry", s.Registry, detail)
			}
		}
	}
	v.needs(at, "quobyte.volume", s.Volume)
}

func (v *podValidator) flexVolume(at *check.Path, s *corev1.FlexVolumeSource) {
	v.needs(at, "flexVolume.driver", s.Driver)
	volume := at.Child("flexVolume")
	options := volume.Child("options")
	for _, k := range check.Keys(s.Options) {
		domain, _, _ := strings.Cut(k, "/")
		domain = "." + strings.ToLower(domain)
		if strings.HasSuffix(domain, ".kubernetes.io") || strings.HasSuffix(domain, ".k8s.io") {
			option := options.Key(k)
			v.Invalid(&option, "", k, "kubernetes.io and k8s.io namespaces are reserved")
		}
	}
}

func (v *podValidator) azureDisk(at *check.Path, s *corev1.AzureDiskVolumeSource) {
	v.needs(at, "azureDisk.diskName", s.DiskName)
	v.needs(at, "azureDisk.diskURI", s.DataDiskURI)
	if m := s.CachingMode; m != nil {
		switch *m {
		case corev1.AzureDataDiskCachingNone, corev1.AzureDataDiskCachingReadOnly, corev1.AzureDataDiskCachingReadWrite:
		default:
			v.NotSupported(at, "azureDisk.cachingMode", *m, "None", "ReadOnly", "ReadWrite")
		}
	}
	if s.Kind == nil {
		return
	}
	switch *s.Kind {
	case corev1.AzureSharedBlobDisk, corev1.AzureDedicatedBlobDisk, corev1.AzureManagedDisk:
	default:
		v.NotSupported(at, "azureDisk.kind", *s.Kind, "Dedicated", "Managed", "Shared")
	}
	if *s.Kind == corev1.AzureManagedDisk {
		if !strings.HasPrefix(s.DataDiskURI, "/subscriptions/") {
			v.NotSupported(at, "azureDisk.diskURI", s.DataDiskURI, "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}")
		}
	} else if !strings.HasPrefix(s.DataDiskURI, "https://") {
		v.NotSupported(at, "azureDisk.diskURI", s.DataDiskURI, "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd")
	}
}
